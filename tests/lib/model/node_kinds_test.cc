// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs on unlike nodes: which machine file is whose, and the sum of their roofs by hand.
#include "lib/model/node_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "lib/core/cpu_list.h"
#include "lib/model/health.h"
#include "lib/model/latencies.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::ModelMachine;
using test::SampleMachine;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kDram = static_cast<size_t>(MemoryLevel::kDram);
constexpr auto k256 = static_cast<size_t>(Width::k256);
constexpr auto k512 = static_cast<size_t>(Width::k512);
constexpr auto kFma = static_cast<size_t>(FlopKind::kFma);

void Scale(Machine& machine, double factor) {
  for (CeilingCurve& ceiling : machine.ceilings) {
    for (MachinePoint& point : ceiling.curve) point.value *= factor;
  }
}

// Of another kind: three times as fast, with its own file.
Machine FastMachine() {
  Machine machine = ModelMachine();
  machine.cpu_model = "Fast CPU";
  Scale(machine, 3);
  return machine;
}

HostInfo Host(const std::string& name, const Machine& machine, uint32_t ranks, uint32_t cpus) {
  HostInfo host = {name, ranks, "0-" + std::to_string(cpus - 1), cpus, machine.cpu_model};
  host.kind = KindOf(machine);
  return host;
}

// Two nodes of the model machine with both CPUs, one of the fast one with one CPU.
JobProfile UnlikeJob() {
  JobProfile job = test::JobOf(Width::k256, FlopKind::kFma, 16 * test::kGiga, 1024);
  job.run.ranks = job.run.ranks_merged = 5;
  job.run.hosts = {Host("n1", ModelMachine(), 2, 2), Host("n2", FastMachine(), 1, 1),
                   Host("n3", ModelMachine(), 2, 2)};
  return job;
}

TEST(NodeKinds, HostsAreGroupedByWhatTheySay) {
  RunInfo run;
  EXPECT_EQ(NodeKindsOf(run).size(), 1u);
  run.hosts = {{"a", 1, "0", 1, "CPU A", "aa"}, {"b", 1, "0", 1, "CPU B", "bb"},
               {"c", 1, "0", 1, "CPU A", "aa"}, {"d", 1, "0", 1, "CPU B"},
               {"e", 1, "0", 1, "CPU C"},       {"f", 1, "0", 1, "CPU C"}};
  const std::vector<NodeKind> kinds = NodeKindsOf(run);
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_THAT(kinds[0].hosts, ElementsAre(0, 2));
  EXPECT_THAT(kinds[1].hosts, ElementsAre(1, 3)) << "d has the CPU of b";
  EXPECT_THAT(kinds[2].hosts, ElementsAre(4, 5));
  EXPECT_EQ(kinds[2].key, "");
}

TEST(NodeKinds, WhatSaysNothingIsOfTheOnlyKindThereIs) {
  RunInfo run;
  run.hosts = {{"a", 1, "0", 1}, {"b", 1, "0", 1, "CPU B", "bb"}};
  ASSERT_EQ(NodeKindsOf(run).size(), 1u);
  EXPECT_EQ(NodeKindsOf(run)[0].key, "bb");
  EXPECT_THAT(NodeKindsOf(run)[0].hosts, ElementsAre(0, 1));
  // Nobody can tell which of two it is.
  run.hosts.push_back({"c", 1, "0", 1, "CPU C", "cc"});
  EXPECT_EQ(NodeKindsOf(run).size(), 3u);
  // Two kinds with one CPU: other memory, say.
  run.hosts = {
      {"a", 1, "0", 1, "CPU", "aa"}, {"b", 1, "0", 1, "CPU", "bb"}, {"c", 1, "0", 1, "CPU"}};
  EXPECT_EQ(NodeKindsOf(run).size(), 3u);
}

// The place of each kind's machine, -1 for none.
std::vector<int> Assigned(const RunInfo& run, const std::vector<Machine>& machines) {
  std::vector<NodeKind> kinds = NodeKindsOf(run);
  AssignMachines(machines, kinds);
  std::vector<int> places;
  for (const NodeKind& kind : kinds) {
    places.push_back(kind.machine == nullptr ? -1
                                             : static_cast<int>(kind.machine - machines.data()));
  }
  return places;
}

TEST(NodeKinds, MachinesAreThoseOfTheKeyThenOfTheCpu) {
  const Machine model = ModelMachine(), fast = FastMachine();
  RunInfo run = UnlikeJob().run;
  EXPECT_THAT(Assigned(run, {model, fast}), ElementsAre(0, 1));
  EXPECT_THAT(Assigned(run, {fast, model}), ElementsAre(1, 0));
  EXPECT_THAT(Assigned(run, {fast}), ElementsAre(-1, 0));
  EXPECT_THAT(Assigned(run, {}), ElementsAre(-1, -1));
  Machine more_memory = model;
  more_memory.memory_bytes = uint64_t{512} << 30;
  EXPECT_THAT(Assigned(run, {more_memory, fast}), ElementsAre(0, 1)) << "the same CPU";
  EXPECT_THAT(Assigned(run, {more_memory, model, fast}), ElementsAre(1, 2)) << "the key decides";
  Machine less_memory = model;
  less_memory.memory_bytes = uint64_t{1} << 30;
  EXPECT_THAT(Assigned(run, {more_memory, less_memory}), ElementsAre(-1, -1)) << "nobody can tell";
  // As long as there is one kind and one file, the file is taken.
  run.hosts = {run.hosts[0]};
  EXPECT_THAT(Assigned(run, {fast}), ElementsAre(0));
  run.hosts[0].kind = run.hosts[0].cpu = "";
  EXPECT_THAT(Assigned(run, {fast}), ElementsAre(0));
  EXPECT_THAT(Assigned(run, {fast, model}), ElementsAre(-1));
}

// By hand: two nodes of 64 and 30, one core of 96 and 60.
TEST(JobOnUnlikeNodes, RoofsAreTheSumOfTheNodesRoofs) {
  const std::vector<Machine> machines = {ModelMachine(), FastMachine()};
  const JobProfile job = UnlikeJob();
  const JobAnalysis analysis = Analyze(job, machines);
  ASSERT_TRUE(analysis.roofs);
  EXPECT_DOUBLE_EQ(analysis.roofs->cores, 5);
  EXPECT_DOUBLE_EQ(analysis.roofs->compute[0].peak->value, 2 * 64 + 96);
  EXPECT_DOUBLE_EQ(analysis.roofs->compute[0].no_fma->value, 2 * 32 + 48);
  EXPECT_DOUBLE_EQ(analysis.roofs->bandwidth[kDram]->value, 2 * 30 + 60);
  ASSERT_EQ(analysis.kinds.size(), 2u);
  EXPECT_DOUBLE_EQ(analysis.kinds[0].cores, 4);
  EXPECT_DOUBLE_EQ(analysis.kinds[1].cores, 1);
  EXPECT_EQ(analysis.kinds[1].machine_cpu, "Fast CPU");
  // 16e9 FLOPs in a second, all fused.
  EXPECT_NEAR(*analysis.paths[0].efficiency, 16.0 / 224, 1e-9);
  EXPECT_THAT(HealthOf(job, analysis), IsEmpty());
}

// A roof of some nodes under the dots of all would be false.
TEST(JobOnUnlikeNodes, WithoutOneOfTheFilesThereIsNoRoof) {
  const JobProfile job = UnlikeJob();
  const std::vector<Machine> machines = {ModelMachine()};
  const JobAnalysis analysis = Analyze(job, machines);
  EXPECT_FALSE(analysis.roofs);
  EXPECT_FALSE(analysis.paths[0].efficiency);
  EXPECT_EQ(analysis.paths[0].efficiency.reason, Why(Reason::kNoMachineOfNodes, "n2"));
  const std::vector<HealthIssue> issues = HealthOf(job, analysis);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kUnmeasuredNodes);
  EXPECT_THAT(issues[0].hosts, ElementsAre(1));
  // Without any file nothing changes.
  const JobAnalysis none = Analyze(job, nullptr);
  EXPECT_EQ(none.paths[0].efficiency.reason, Why(Reason::kNoMachine));
  EXPECT_THAT(HealthOf(job, none), IsEmpty());
}

TEST(JobOnUnlikeNodes, AFileOfTheSameCpuWithOtherMemoryIsNamed) {
  JobProfile job = UnlikeJob();
  job.run.hosts[2].kind = "0123456789abcdef";
  const std::vector<Machine> machines = {ModelMachine(), FastMachine()};
  const std::vector<HealthIssue> issues = HealthOf(job, Analyze(job, machines));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kOtherMachine);
  EXPECT_EQ(issues[0].host, "n3");
  EXPECT_EQ(issues[0].text, "");
}

TEST(JobOnUnlikeNodes, ALowClockIsHeldAgainstTheNodesOwnMachine) {
  JobProfile job = UnlikeJob();
  std::vector<Machine> machines = {ModelMachine(), FastMachine()};
  machines[0].ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 2));
  machines[1].ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 4));
  for (HostInfo& host : job.run.hosts) host.clock_khz = OverHost::Of(2'000'000);
  const std::vector<HealthIssue> issues = HealthOf(job, Analyze(job, machines));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kLowClock);
  EXPECT_EQ(issues[0].host, "n2");
  EXPECT_NEAR(issues[0].share, 0.5, 1e-9);
}

// Property: n equal nodes have the same figures, whether they are one kind or several.
TEST(JobOnUnlikeNodes, EqualNodesAreHeldAgainstWhatTheyWereBefore) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Machine machine = ModelMachine();
    Scale(machine, 0.5 + static_cast<double>(random() % 100));
    std::vector<Machine> twins = {machine, machine};
    twins[1].cpu_model = "Twin CPU";
    JobProfile job = UnlikeJob();
    job.run.hosts.clear();
    const size_t nodes = 2 + random() % 6;
    for (size_t h = 0; h < nodes; ++h) {
      const uint32_t cpus = 1 + static_cast<uint32_t>(random() % 2);
      job.run.hosts.push_back(
          Host(std::to_string(h), twins[h % 2], 1 + static_cast<uint32_t>(random() % 3), cpus));
    }
    JobProfile plain = job;
    for (HostInfo& host : plain.run.hosts) host.cpu = host.kind = "";
    const JobAnalysis sum = Analyze(job, twins), before = Analyze(plain, &machine);
    ASSERT_EQ(sum.kinds.size(), 2u);
    ASSERT_TRUE(sum.roofs && before.roofs);
    EXPECT_DOUBLE_EQ(sum.roofs->cores, before.roofs->cores);
    for (size_t p = 0; p < 2; ++p) {
      EXPECT_DOUBLE_EQ(sum.roofs->compute[p].peak->value, before.roofs->compute[p].peak->value);
    }
    for (size_t l = 0; l < kMemoryLevels; ++l) {
      EXPECT_DOUBLE_EQ(sum.roofs->bandwidth[l]->value, before.roofs->bandwidth[l]->value);
      EXPECT_EQ(sum.roofs->bandwidth[l]->id, before.roofs->bandwidth[l]->id);
    }
    const PathAnalysis &a = sum.paths[0], &b = before.paths[0];
    EXPECT_NEAR(*a.runtime.attainable, *b.runtime.attainable, 1e-9 * *b.runtime.attainable);
    EXPECT_EQ(a.runtime.binding, b.runtime.binding);
    ASSERT_EQ(a.verdict.ceilings.size(), b.verdict.ceilings.size());
    for (size_t c = 0; c < a.verdict.ceilings.size(); ++c) {
      EXPECT_NEAR(a.verdict.ceilings[c].gflops, b.verdict.ceilings[c].gflops,
                  1e-9 * b.verdict.ceilings[c].gflops);
    }
  }
}

TEST(UnitRatesOfUnlikeNodes, AWidthIsTheRateOfThoseThatExecuteIt) {
  const auto rates = [](const Machine& machine) {
    return UnitRates(machine, {ActiveHost{.cores = 1, .packages = 0}});
  };
  Machine wide = ModelMachine();
  wide.isa = {"scalar", "128", "256", "512"};
  for (const char* kind : {"add", "mul", "muladd"}) {
    wide.ceilings.push_back(test::MakeCeiling(std::string("compute.dp.") + kind + ".512", "", 32));
  }
  wide.ceilings.push_back(test::MakeCeiling("compute.dp.fma.512", "", 64));
  Machine narrow = ModelMachine();
  narrow.isa = {"scalar", "128", "256"};
  UnitRates both = rates(wide);
  both.Add(rates(narrow));
  EXPECT_DOUBLE_EQ(both.by_width[0][k256].alone[kFma], 32 + 32);
  EXPECT_DOUBLE_EQ(both.by_width[0][k512].alone[kFma], 64) << "the other has no such work";
  EXPECT_DOUBLE_EQ(both.widest[0].alone[kFma], 64 + 32) << "each in its widest";
  EXPECT_DOUBLE_EQ(both.widest_lanes[0], 8);
  EXPECT_DOUBLE_EQ(both.cores, 2);
  UnitRates turned = rates(narrow);
  turned.Add(rates(wide));
  EXPECT_DOUBLE_EQ(turned.by_width[0][k512].alone[kFma], 64);
  // It executes them, and nobody measured how fast.
  narrow.isa.push_back("512");
  UnitRates unknown = rates(wide);
  unknown.Add(rates(narrow));
  EXPECT_DOUBLE_EQ(unknown.by_width[0][k512].alone[kFma], 0);
  // What the clock loses is weighted by what the cores do alone: (32 + 0.5 * 32) / (32 + 32).
  UnitRates slower = rates(narrow);
  slower.scaling = 0.5;
  slower.peak[0] = 16;
  UnitRates mean = rates(narrow);
  mean.peak[0] = 32;
  mean.Add(slower);
  EXPECT_DOUBLE_EQ(mean.scaling, 0.75);
}

TEST(LatenciesOfUnlikeNodes, AreTheLowest) {
  Machine one = SampleMachine(), other = SampleMachine();
  const auto add = [](Machine& machine, const char* id, double value) {
    machine.ceilings.push_back(test::MakeCeiling(id, id, value));
  };
  for (Machine* machine : {&one, &other}) add(*machine, "clock.scalar", 1);
  add(one, "chain.dp_add", 4);
  add(other, "chain.dp_add", 3);
  add(one, "chain.dp_mul", 3);
  add(other, "chain.dp_mul", 5);
  add(one, "latency.L1", 5);
  const std::vector<Machine> machines = {one, other};
  EXPECT_EQ(LatenciesOf(machines), "dp_add=3,dp_mul=3") << "nobody measured L1 on the other";
  EXPECT_EQ(LatenciesOf(one), "dp_add=4,dp_mul=3,load_l1=5");
  EXPECT_EQ(LatenciesOf(std::vector<Machine>{one, SampleMachine()}), "");
  EXPECT_EQ(LatenciesOf(std::vector<Machine>()), "");
}

TEST(NodeKinds, NamesAreFew) {
  RunInfo run;
  for (int i = 1; i <= 6; ++i) run.hosts.push_back({"n" + std::to_string(i), 1, "0", 1});
  EXPECT_EQ(HostNames(run, {0, 5}), "n1, n6");
  EXPECT_EQ(HostNames(run, {0, 1, 2, 3, 4, 5}), "n1, n2, n3, n4 and 2 more");
}

}  // namespace
}  // namespace roofmark
