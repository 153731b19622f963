// SPDX-License-Identifier: BSD-3-Clause
//
// Loops and functions as regions (ROOFMARK_NESTS) on random ways through code
// (programs/nest_walk.c): whatever is chosen to be a region, and however it is left, both engines
// agree on every region; the native one, too, where it goes over to another kind of code thousands
// of times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/markers/runtime/labels.h"
#include "tests/support/recording.h"
#include "tests/support/rounds.h"

namespace roofmark::test {
namespace {

constexpr uint32_t kFunctions = 16;
constexpr MetricId kCompared[] = {metric::kVisits, kAdds, metric::kInstructions, metric::kLoadBytes,
                                  metric::kStoreBytes};

// Adds the nests of functions, one after the other in the order of their code.
class WalkPlan {
 public:
  WalkPlan(std::map<std::string, uint64_t> at, int seed)
      : at_(std::move(at)), random_(static_cast<uint64_t>(seed)) {
    plan_.modules = {NEST_WALK};
    for (uint32_t k = 0; k < kFunctions; ++k) AddFunction(k);
  }
  const NestPlan& plan() const { return plan_; }

 private:
  bool IsChosen() { return random_() % 3 != 0; }
  std::optional<uint32_t> Choose(const char* what, uint32_t k, std::optional<uint32_t> around,
                                 bool is_function = false) {
    if (!IsChosen()) return around;
    plan_.nests.push_back({fmt::format("{}_{}", what, k), "w.c", k + 1, around, is_function});
    return static_cast<uint32_t>(plan_.nests.size() - 1);
  }
  void Range(std::optional<uint32_t> nest, const std::string& begin, const std::string& end) {
    if (at_.at(begin) < at_.at(end)) plan_.ranges.push_back({0, nest, at_.at(begin), at_.at(end)});
  }
  void AddFunction(uint32_t k) {
    const auto label = [&](const char* what) { return fmt::format("walk{}_{}", what, k); };
    const auto function = Choose("function", k, {}, /*is_function=*/true);
    const bool has_head = k % 3 == 0;
    const auto head = has_head ? Choose("head", k, function) : function;
    const auto loop = Choose("loop", k, function);
    const auto inner = Choose("inner", k, loop);
    if (!function && !head && !inner) return;
    Range(head, label(""), label("_head_end"));
    Range(function, label("_head_end"), label("_loop"));
    Range(loop, label("_loop"), label("_inner"));
    Range(inner, label("_inner"), label("_inner_end"));
    Range(loop, label("_inner_end"), label("_loop_end"));
    Range(function, label("_loop_end"), label("_end"));
    if (head) plan_.entries.push_back({0, *head, at_.at(label(""))});
  }

  std::map<std::string, uint64_t> at_;
  std::mt19937_64 random_;
  NestPlan plan_;
};

class NestWalks : public Recording {
 protected:
  // What is compared, by path.
  using Regions = std::map<std::string, std::vector<uint64_t>>;

  Regions Walk(const char* engine, const char* counts, int seed, const std::string& nests,
               const Environment& more = {}) {
    output_ = directory_.File(fmt::format("{}.{}.{}.{}.json", engine, counts, seed, more.size()));
    Environment environment = {
        {"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_ENGINE", engine},
        {"ROOFMARK_COUNT", counts},         {"ROOFMARK_CACHE", "L1:1K:2,L2:16K:4"},
        {"ROOFMARK_SAMPLE", "1"},           {"ROOFMARK_NESTS", nests}};
    environment.insert(more.begin(), more.end());
    const JobProfile job = RunAndRead({NEST_WALK, std::to_string(seed)}, environment);
    const auto& facts = job.run.passes.at(0).facts;
    EXPECT_EQ(facts.at("engine"), engine) << ended_.err;
    EXPECT_EQ(facts.count("incomplete"), 0u) << facts.at("incomplete");
    Regions regions;
    for (const PathInfo& info : job.paths) {
      for (const MetricId metric : kCompared)
        regions[info.path].push_back(Value(job, info.path, metric));
    }
    return regions;
  }
};

TEST_F(NestWalks, AreTheSameByBothEngines) {
  const Environment in_bursts = {{"LD_PRELOAD", FAST_CLOCK},
                                 {"ROOFMARK_VISITS", "bursts"},
                                 {"ROOFMARK_LATENCIES", "dp_add=3"}};
  const std::map<std::string, uint64_t> at = LabelsOf(NEST_WALK);
  int regions = 0;
  for (int seed = 1; seed <= Rounds(10); ++seed) {
    const std::string nests = directory_.File("nests.json");
    const WalkPlan plan(at, seed);
    ASSERT_TRUE(WriteFile(nests, NestPlanToJson(plan.plan()), IfExists::kReplace));
    for (const char* counts : {"flops", "cache"}) {
      const Regions valgrind = Walk("valgrind", counts, seed, nests);
      EXPECT_EQ(Walk("native", counts, seed, nests), valgrind) << counts << ", seed " << seed;
      regions += static_cast<int>(valgrind.size());
      if (counts == std::string("flops")) continue;
      EXPECT_EQ(Walk("native", counts, seed, nests, in_bursts), valgrind) << "seed " << seed;
    }
  }
  EXPECT_GT(regions, Rounds(10) * 100) << "walks that go nowhere show nothing";
}

}  // namespace
}  // namespace roofmark::test
