// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/machine_json.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using test::MakeCeiling;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A node whose peak is `peak` on one core and twice that on two.
Machine Node(const std::string& name, double peak) {
  Machine machine = test::SampleMachine();
  machine.nodes = {name};
  machine.cpuset = "0-1";
  machine.ceilings = {MakeCeiling("compute.dp.peak", "peak", peak)};
  return machine;
}

TEST(MachineMerge, OneNodeStaysAsItIs) {
  const auto merged = MergeMachines({Node("n1", 80)});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(MachineToJson(*merged), MachineToJson(Node("n1", 80)));
  EXPECT_EQ(merged->ceilings[0].curve[0].nodes, 1u);
}

TEST(MachineMerge, MedianAndSpreadOfThreeNodes) {
  Machine early = Node("n1", 80);
  early.seconds = 9;
  Machine late = Node("n3", 81);
  late.measured_at = "2026-01-02T03:05:00Z";
  late.seconds = 11;
  const auto merged = MergeMachines({early, Node("n2", 82), late});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_THAT(merged->nodes, ElementsAre("n1", "n2", "n3"));
  EXPECT_EQ(merged->measured_at, late.measured_at);
  EXPECT_EQ(merged->seconds, 11);
  EXPECT_FALSE(merged->partial);
  ASSERT_EQ(merged->ceilings.size(), 1u);
  const CeilingCurve& peak = merged->ceilings[0];
  ASSERT_EQ(peak.curve.size(), 2u);
  const MachinePoint& both = peak.curve[1];
  EXPECT_EQ(both.cores, 2u);
  EXPECT_EQ(both.value, 162);
  EXPECT_EQ(both.node_min, 160);
  EXPECT_EQ(both.node_max, 164);
  EXPECT_EQ(both.nodes, 3u);
  EXPECT_EQ(both.samples, 27u);
  EXPECT_EQ(both.min, 160);
  EXPECT_EQ(both.max, 164);
  EXPECT_EQ(peak.note, "") << "2.5 % is no difference";
  EXPECT_THAT(merged->warnings, IsEmpty());
}

TEST(MachineMerge, NoiseIsTheMedianAndAVariantIsThatOfAllNodes) {
  std::vector<Machine> nodes = {Node("n1", 80), Node("n2", 80), Node("n3", 80)};
  for (double noise = 0.01; Machine & node : nodes) {
    node.ceilings[0].curve[0].noise = noise;
    node.ceilings[0].curve[0].variant = node.ceilings[0].curve[1].variant = "far";
    noise *= 10;
  }
  nodes[2].ceilings[0].curve[1].variant = "near";
  const auto merged = MergeMachines(nodes);
  ASSERT_TRUE(merged) << merged.error();
  const auto& curve = merged->ceilings[0].curve;
  EXPECT_DOUBLE_EQ(curve[0].noise, 0.1);
  EXPECT_EQ(curve[0].variant, "far");
  EXPECT_EQ(curve[1].variant, "");
}

TEST(MachineMerge, NamesTheSlowestNode) {
  const auto merged = MergeMachines({Node("n1", 100), Node("n17", 88), Node("n3", 102)});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->ceilings[0].note, "nodes differ by 14 %: n17 is 12 % below the median");
}

TEST(MachineMerge, OfLatenciesTheHighestIsTheSlowest) {
  std::vector<Machine> nodes = {Node("n1", 1), Node("n2", 1), Node("n3", 1)};
  for (double ns = 100; Machine & node : nodes) {
    node.ceilings = {MakeCeiling("latency.DRAM", "latency", ns)};
    node.ceilings[0].unit = "ns";
    ns += 10;
  }
  const auto merged = MergeMachines(nodes);
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->ceilings[0].note, "nodes differ by 18 %: n3 is 9 % above the median");
}

TEST(MachineMerge, SaysWhatSomeNodesLack) {
  Machine with = Node("n2", 80);
  with.partial = true;
  with.ceilings[0].note = "noisy: 7 %";
  with.ceilings.push_back(MakeCeiling("bandwidth.L3.read", "L3 read", 30));
  const auto merged = MergeMachines({Node("n1", 80), with});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_TRUE(merged->partial);
  EXPECT_EQ(merged->Find("compute.dp.peak")->note, "on 1 of 2 nodes noisy: 7 %");
  const CeilingCurve* l3 = merged->Find("bandwidth.L3.read");
  ASSERT_NE(l3, nullptr);
  EXPECT_EQ(l3->curve[0].value, 30);
  EXPECT_EQ(l3->curve[0].nodes, 1u);
  EXPECT_EQ(l3->note, "on 1 of 2 nodes only");
}

TEST(MachineMerge, NotesOfAllNodesStayAsTheyAre) {
  Machine node = Node("n1", 80);
  node.ceilings[0].note = "noisy: 7 %";
  const auto merged = MergeMachines({node, node});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->ceilings[0].note, "noisy: 7 %");
}

TEST(MachineMerge, KeepsTheMostCommonCpusetAndWarns) {
  Machine other = Node("n1", 80);
  other.cpuset = "0,2";
  other.packages = 2;
  for (MachinePoint& point : other.ceilings[0].curve) point.packages = point.cores;
  Machine newer = Node("n3", 80);
  newer.kernel = "6.2";
  const auto merged = MergeMachines({other, Node("n2", 80), newer});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->cpuset, "0-1");
  EXPECT_EQ(merged->packages, 1u);
  EXPECT_THAT(merged->warnings,
              ElementsAre("1 of 3 nodes (n1) have the CPU set 0,2 and not 0-1",
                          "1 of 3 nodes (n3) have the Linux kernel 6.2 and not "));
  const auto& curve = merged->ceilings[0].curve;
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].nodes, 3u);
  EXPECT_EQ(curve[1].nodes, 2u);
  EXPECT_EQ(curve[2].packages, 2u) << "two cores of one package are not two of two packages";
  EXPECT_EQ(curve[2].nodes, 1u);
}

TEST(MachineMerge, WarningsOfSingleNodesNameThem) {
  std::vector<Machine> nodes;
  for (int i = 0; i < 30; ++i) {
    nodes.push_back(Node("n" + std::to_string(i), 80));
    nodes.back().warnings = {"no huge pages"};
    if (i < 6) nodes.back().warnings.push_back("L3 not found");
    if (i >= 5) nodes.back().warnings.push_back("warning " + std::to_string(i));
  }
  const auto merged = MergeMachines(nodes);
  ASSERT_TRUE(merged) << merged.error();
  ASSERT_EQ(merged->warnings.size(), 21u);
  EXPECT_EQ(merged->warnings[0], "no huge pages");
  EXPECT_EQ(merged->warnings[1], "n0, n1, n2, n3 and 2 more: L3 not found");
  EXPECT_EQ(merged->warnings[2], "n5: warning 5");
  EXPECT_EQ(merged->warnings[20], "7 more warnings of single nodes");
}

// Of the figures of all nodes together: one disturbed node of three is outvoted.
TEST(MachineMerge, ContradictionsAreThoseOfTheMergedFigures) {
  std::vector<Machine> nodes = {Node("n1", 80), Node("n2", 80), Node("n3", 80)};
  nodes[0].contradictions = {"DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 core"};
  EXPECT_TRUE(MergeMachines(nodes)->contradictions.empty());
}

TEST(MachineMerge, RefusesDifferentKindsAndNothing) {
  Machine other = Node("n2", 80);
  other.cpu_model = "Other CPU";
  EXPECT_EQ(MergeMachines({Node("n1", 80), other}).error(),
            "n1 and n2 are nodes of different kinds: one machine file each");
  EXPECT_FALSE(MergeMachines({}));
}

TEST(MachineMerge, TheFileKeepsTheSpread) {
  const auto merged = MergeMachines({Node("n1", 80), Node("n2", 90)});
  ASSERT_TRUE(merged) << merged.error();
  const std::string text = MachineToJson(*merged);
  const auto read = MachineFromJson(text, "m.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(MachineToJson(*read), text);
  EXPECT_THAT(read->nodes, ElementsAre("n1", "n2"));
  EXPECT_EQ(read->ceilings[0].curve[0].nodes, 2u);
  EXPECT_EQ(read->ceilings[0].curve[0].node_min, 80);
  EXPECT_EQ(read->ceilings[0].curve[0].node_max, 90);
  EXPECT_THAT(MachineToJson(Node("n1", 80)), ::testing::Not(HasSubstr("node_min")));
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  EXPECT_TRUE(test::MatchesSchema(text, "machine.schema.json"));
}

}  // namespace
}  // namespace roofmark
