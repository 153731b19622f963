// SPDX-License-Identifier: BSD-3-Clause
//
// What stands between an engine and whoever takes its counts: what it does not change goes through.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "collectors/counting/extrapolate.h"
#include "collectors/counting/scaled_visits.h"
#include "tests/support/no_harvest.h"

namespace roofmark::counting {
namespace {

class Kept final : public CountSink {
 public:
  void Add(const Context&, std::span<const uint64_t, ROOF_COUNTERS> counters) override {
    for (size_t i = 0; i < ROOF_COUNTERS; ++i) sums[i] += counters[i];
  }
  void Incomplete(const IncompletePath& path) override {
    heard.push_back(path.reason + " " + std::to_string(path.path) + " " +
                    std::to_string(path.exits));
  }
  void Critical(const Context& context, const SourceLine& line, uint64_t cycles) override {
    heard.push_back(line.file + " " + std::to_string(context.path) + " " + std::to_string(cycles));
  }
  void Entered(const Context& context, uint64_t times) override {
    heard.push_back("entered " + std::to_string(context.path) + " " + std::to_string(times));
  }

  std::vector<std::string> heard;
  std::array<uint64_t, ROOF_COUNTERS> sums{};
};

// As an engine does, which knows no more of the sink.
void Tell(CountSink& sink) {
  const Context context = {.thread = 1, .path = 3, .layer = Layer::kWork};
  sink.Entered(context, 5);
  sink.Critical(context, {"a.c", 7}, 70);
  sink.Incomplete({3, "lost", 2});
}

TEST(CountSinks, ExtrapolationHandsOverWhatIsNoTraffic) {
  Extrapolation extrapolation;
  Tell(extrapolation);
  Kept kept;
  EXPECT_TRUE(extrapolation.HandOver(kept).empty());
  EXPECT_EQ(kept.heard, (std::vector<std::string>{"lost 3 2", "a.c 3 70", "entered 3 5"}));
}

// It is written back once, however much else was written; a tenth was modelled.
TEST(CountSinks, WhatIsDirtyAtTheEndIsNotExtrapolated) {
  Extrapolation extrapolation;
  const auto add = [&](Extent extent, uint64_t loaded, uint64_t written, uint64_t dirty) {
    std::array<uint64_t, ROOF_COUNTERS> counters{};
    counters[ROOF_C_LOAD_BYTES] = loaded;
    counters[ROOF_C_DRAM_WRITE_BYTES] = written;
    counters[ROOF_C_DRAM_DIRTY_BYTES] = dirty;
    extrapolation.Add({.thread = 1, .path = 3, .layer = Layer::kWork, .extent = extent}, counters);
  };
  add(Extent::kAll, 1000, 640, 64);
  add(Extent::kCheap, 8000, 0, 0);
  add(Extent::kWarm, 1000, 640, 128);
  Kept kept;
  EXPECT_TRUE(extrapolation.HandOver(kept).empty());
  EXPECT_EQ(kept.sums[ROOF_C_LOAD_BYTES], 10'000u);
  EXPECT_EQ(kept.sums[ROOF_C_DRAM_WRITE_BYTES], 6400u);
  EXPECT_EQ(kept.sums[ROOF_C_DRAM_DIRTY_BYTES], 192u);
}

// Nests and lines are not known where visits take turns: each visit is another part of the program.
TEST(CountSinks, VisitsThatTakeTurnsHaveNeitherLinesNorNests) {
  ScaledVisits visits;
  Tell(visits);
  Kept kept;
  visits.HandOver(kept, test::NoHarvest());
  EXPECT_EQ(kept.heard, std::vector<std::string>{"lost 3 2"});
}

}  // namespace
}  // namespace roofmark::counting
