// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of all that is said of a region, whatever it did: its split, its limit, the model
// and the advice agree with each other.
#ifndef ROOFMARK_TESTS_LIB_MODEL_AGREEMENT_H_
#define ROOFMARK_TESTS_LIB_MODEL_AGREEMENT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"

namespace roofmark::test {

inline constexpr double kRounding = 1e-6;

inline void ExpectDependencesOnlyWhereTheyBind(const PathAnalysis& path) {
  for (const Shortfall one : {Shortfall::kDependences, Shortfall::kLatency}) {
    const Ceiling& ceiling = path.runtime.ceilings[Index(one)];
    if (ceiling.rank == 0) continue;
    EXPECT_NE(path.runtime.binding, "DRAM") << InfoOf(one).name;
    EXPECT_NEAR(*path.runtime.needed_s, *path.runtime.dependences.seconds.as_is,
                kRounding * *path.runtime.needed_s)
        << InfoOf(one).name;
  }
}

inline bool StreamsAreNamed(const PathAnalysis& path) {
  return path.runtime.ceilings[Index(Shortfall::kStreams)].rank > 0;
}

inline void ExpectStreamsOnlyWhereTheyBind(const PathAnalysis& path) {
  if (!StreamsAreNamed(path)) return;
  EXPECT_EQ(path.runtime.binding, "DRAM");
  EXPECT_LT(*path.runtime.streams.count, path.runtime.streams.enough);
}

// Two resources are named where neither takes the time alone, and both do; one of each side.
// Returns whether two are.
inline bool ExpectTwoOnlyWhereBothMatter(const PathAnalysis& path) {
  const Limit& limit = path.limit;
  if (limit.beside.empty()) return false;
  const Sides& sides = path.runtime.sides;
  const double usable = path.split.Usable();
  EXPECT_EQ(limit.what, LimitedBy::kResource);
  EXPECT_TRUE(limit.beside == sides.core || limit.beside == sides.memory) << limit.beside;
  EXPECT_NE(limit.beside, limit.resource);
  EXPECT_LT(path.split.Explained(), 0.9);
  EXPECT_GE(sides.core_s + sides.memory_s, 0.9 * usable * (1 - kRounding));
  EXPECT_GE(2 * std::min(sides.core_s, sides.memory_s),
            std::max(sides.core_s, sides.memory_s) * (1 - kRounding));
  EXPECT_NE(std::string(limit.Mark()).find('+'), std::string::npos);
  return true;
}

// If one resource is cured, what is left takes between the other's time and all of it, one after
// the other: nobody may promise more than the first.
inline void ExpectSavingsLeaveTheOther(const PathAnalysis& path, const Advice& advice) {
  if (advice.kind != AdviceKind::kCure || path.limit.beside.empty()) return;
  const Ceiling& ceiling = path.runtime.ceilings[Index(advice.shortfall)];
  EXPECT_LE(advice.saves.least, std::max(0.0, *path.split.needed_s - ceiling.apart_s) + kRounding)
      << InfoOf(advice.shortfall).name;
  EXPECT_GE(ceiling.apart_s * ceiling.gain.most, *path.split.needed_s * (1 - kRounding));
}

// Where the machine and the work are known.
inline void ExpectRegionAgrees(const PathAnalysis& path) {
  const TimeSplit& split = path.split;
  if (split.BoundIsAboveTime()) {
    EXPECT_TRUE(WorthCuring(path.runtime).empty());
    EXPECT_TRUE(path.limit.what != LimitedBy::kResource || path.limit.IsOfPhases());
    EXPECT_GT(path.above_bound, 1);
  }
  if (path.limit.IsOfPhases()) {
    EXPECT_TRUE(WorthCuring(path.runtime).empty()) << "the sum of its work has no advice";
    double all = 0;
    for (const Phase& phase : path.limit.phases) all += phase.share;
    EXPECT_NEAR(all, 1, kRounding);
    return;
  }
  if (!split.needed_s || !split.unexplained_s) return;
  EXPECT_NEAR(split.inside_mpi_s + split.in_openmp_s + split.in_kernel_s + *split.needed_s +
                  *split.unexplained_s,
              split.time_s, kRounding * split.time_s);
  EXPECT_EQ(path.limit.what == LimitedBy::kWaiting, path.waiting.waits());
  const bool resource = path.limit.what == LimitedBy::kResource;
  EXPECT_EQ(path.limit.resource, resource ? path.runtime.binding : "");
  const std::string& apply = path.verdict.optimisation_region;
  EXPECT_TRUE(!resource || apply.empty() || apply == "both" || apply == path.limit.Kind())
      << apply << " apply, " << path.limit.Mark() << " limits";
  if (path.runtime.ceilings.empty()) return;
  ExpectDependencesOnlyWhereTheyBind(path);
  ExpectTwoOnlyWhereBothMatter(path);
  ExpectStreamsOnlyWhereTheyBind(path);
}

// `advice` is about the region.
inline void ExpectAdviceAgrees(const PathAnalysis& region, const Advice& advice) {
  const PathAnalysis& path = region.Advised();
  const TimeSplit& split = path.split;
  EXPECT_FALSE(advice.kind == AdviceKind::kCure && path.waiting.waits());
  ExpectSavingsLeaveTheOther(path, advice);
  EXPECT_TRUE(advice.kind != AdviceKind::kUnexplained || path.limit.beside.empty());
  EXPECT_LT(advice.saves.least, advice.saves.most) << "no gain is known exactly";
  EXPECT_LE(advice.saves.least, advice.expected_s + kRounding);
  EXPECT_LE(advice.expected_s, advice.saves.most + kRounding);
  EXPECT_LE(advice.saves.most, split.time_s * (1 + kRounding));
  if (advice.kind != AdviceKind::kCure) return;
  EXPECT_LE(advice.saves.most, split.Usable() * (1 + kRounding));
  EXPECT_LE(advice.saves.least, *split.needed_s * (1 + kRounding));
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_AGREEMENT_H_
