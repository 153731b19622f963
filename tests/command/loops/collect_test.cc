// SPDX-License-Identifier: BSD-3-Clause
#include "command/loops/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace roofmark::cli {
namespace {

using ::testing::SizeIs;

// A function with a loop [0x20, 0x40) of 100 iterations for each of 10 entries; half of the
// entries are those of each of two regions.
class Collect : public ::testing::Test {
 protected:
  Collect() {
    executed_.file = "app";
    executed_.blocks = {{0x10, 0x10, 4, 10}, {0x20, 0x20, 8, 1000}, {0x40, 0x10, 4, 10}};
    executed_.ways = {{0x3e, 0x20, 990, false}};
    executed_.parts = {{0x10, 0x10, 0, Layer::kWork, true, 10},
                       {0x20, 0x20, 0, Layer::kWork, true, 500},
                       {0x20, 0x20, 1, Layer::kWork, true, 500},
                       {0x40, 0x10, 0, Layer::kWork, true, 10}};
    sampled_.places = {{0x24, 30, 30'000, 30'000}, {0x44, 10, 10'000, 10'000}, {0x900, 5, 5, 5}};
    module_.executed = &executed_;
    module_.sampled = &sampled_;
    module_.input.library = "app";
    module_.input.functions = {{0x10, 0x50, "sweep", "sweep", "", binary::Part::kWhole, {}}};
    for (const ExecutedBlock& block : executed_.blocks) {
      module_.input.blocks.push_back({block.begin, block.bytes, block.times});
    }
    for (const ExecutedWay& way : executed_.ways) {
      module_.input.edges.push_back({way.from, way.to, way.times});
    }
    module_.input.branch_at = [](uint64_t) {
      binary::Branch branch;
      branch.kind = binary::Branch::Kind::kConditional;
      branch.bytes = 2;
      return branch;
    };
    module_.input.only_prepares = [](uint64_t, uint64_t) { return false; };
    module_.input.rows_in = [](uint64_t, uint64_t) { return std::vector<binary::SourceRow>(); };
    module_.input.marks_in = [](uint64_t, uint64_t) { return std::vector<binary::SourceMark>(); };
  }

  ExecutedModule executed_;
  SampledModule sampled_;
  MeasuredModule module_;
};

TEST_F(Collect, LoopsHaveTheirCountsAndTimes) {
  const std::vector<HotLoop> loops = MeasureModule(module_, {"one", "two"});
  ASSERT_THAT(loops, SizeIs(2));
  const HotLoop& loop = loops[0];
  EXPECT_EQ(loop.header, 0x20u);
  EXPECT_EQ(loop.entries, 10u);
  EXPECT_EQ(loop.iterations, 1000u);
  EXPECT_EQ(loop.cpu_ns, 30'000u);
  EXPECT_EQ(loop.instructions, 8'000u);
  ASSERT_THAT(loop.uses, SizeIs(2));
  EXPECT_EQ(loop.uses[0].path, "one");
  EXPECT_EQ(loop.uses[0].cpu_ns, 15'000u);
  EXPECT_EQ(loop.uses[1].instructions, 4'000u);
  ASSERT_THAT(loop.blocks, SizeIs(1));
  EXPECT_EQ(loop.blocks[0].times, 1000u);
  const HotLoop& outside = loops[1];
  EXPECT_FALSE(outside.header);
  EXPECT_EQ(outside.name, "sweep()");
  EXPECT_EQ(outside.cpu_ns, 10'000u);
  EXPECT_EQ(outside.instructions, 80u);
  EXPECT_THAT(outside.blocks, SizeIs(2));
}

// Four pieces of a loop, which together are longer than what a file keeps of it.
TEST_F(Collect, BlocksOfALongLoopAreShortEnoughForAFile) {
  constexpr uint32_t kBytes = 0x700;
  executed_.blocks.clear();
  executed_.parts.clear();
  module_.input.blocks.clear();
  for (uint32_t i = 0; i < 4; ++i) {
    const uint64_t begin = 0x100 + i * kBytes;
    executed_.blocks.push_back({begin, kBytes, 100, 1000});
    executed_.parts.push_back({begin, kBytes, 0, Layer::kWork, true, 1000});
    module_.input.blocks.push_back({begin, kBytes, 1000});
  }
  const uint64_t end = 0x100 + 4 * kBytes;
  module_.input.functions = {{0x100, end, "sweep", "sweep", "", binary::Part::kWhole, {}}};
  module_.input.edges = {{end - 2, 0x100, 999}};
  sampled_.places = {{0x104, 30, 30'000, 30'000}};
  const std::vector<HotLoop> loops = MeasureModule(module_, {"one", "two"});
  ASSERT_THAT(loops, SizeIs(1));
  ASSERT_THAT(loops[0].blocks, SizeIs(2));
  EXPECT_EQ(loops[0].blocks[0].begin, 0x100u);
  EXPECT_LE(loops[0].blocks[0].code.size(), limits::kHotLoopBytes);
}

// Blocks and ways are those of work.
TEST_F(Collect, TimeOfCodeThatMpiExecutesTooIsDivided) {
  executed_.parts.insert(executed_.parts.begin() + 1, {0x20, 0x20, 0, Layer::kMpi, true, 4000});
  const std::vector<HotLoop> loops = MeasureModule(module_, {"one", "two"});
  ASSERT_THAT(loops, SizeIs(2));
  EXPECT_EQ(loops[0].iterations, 1000u);
  EXPECT_EQ(loops[0].cpu_ns, 6'000u);
  ASSERT_THAT(loops[0].blocks, SizeIs(1));
  EXPECT_EQ(loops[0].blocks[0].cpu_ns, 6'000u);
  ASSERT_THAT(loops[0].uses, SizeIs(2));
  EXPECT_EQ(loops[0].uses[0].cpu_ns, 3'000u);
  EXPECT_EQ(loops[1].cpu_ns, 10'000u) << "the code beside it is work alone";
}

TEST_F(Collect, CodeThatIsNoWorkIsOfNoRegion) {
  for (ExecutedPart& part : executed_.parts) part.layer = Layer::kMpi;
  for (const HotLoop& loop : MeasureModule(module_, {"one", "two"})) {
    EXPECT_THAT(loop.uses, SizeIs(0));
  }
}

TEST(KeepHottest, NoMoreThanARegionAndAFileHaveRoomFor) {
  HotLoops hot;
  hot.timed = true;
  for (uint64_t i = 0; i < 100; ++i) {
    HotLoop loop;
    loop.cpu_ns = i;
    loop.uses = {{i < 90 ? std::to_string(i) : "crowd", i, 0}};
    hot.loops.push_back(loop);
  }
  KeepHottest(hot);
  ASSERT_THAT(hot.loops, SizeIs(limits::kHotLoops));
  EXPECT_EQ(hot.loops[0].cpu_ns, 99u);
  EXPECT_EQ(std::count_if(hot.loops.begin(), hot.loops.end(),
                          [](const HotLoop& loop) { return loop.uses[0].path == "crowd"; }),
            static_cast<int>(limits::kHotLoopsOfRegion));
}

}  // namespace
}  // namespace roofmark::cli
