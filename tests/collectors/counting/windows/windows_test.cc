// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "collectors/counting/trace/trace.h"
#include "collectors/counting/windows/code.h"
#include "tests/collectors/counting/memory_fixture.h"
#include "tests/collectors/counting/windows/files_fixture.h"

namespace roofmark {
namespace {

constexpr uint32_t kSlot = 1;

roof_code_instruction At(uint64_t place, std::vector<uint8_t> bytes, uint32_t accesses = 0) {
  roof_code_instruction instruction;
  EXPECT_TRUE(
      roof_code_read(bytes.data(), static_cast<unsigned>(bytes.size()), place, &instruction));
  instruction.accesses = accesses;
  return instruction;
}
// addsd %xmm1,%xmm0; mov (%rax),%rax; movsd %xmm0,(%rax); nop
roof_code_instruction Add(uint64_t place) { return At(place, {0xf2, 0x0f, 0x58, 0xc1}); }
roof_code_instruction Chase(uint64_t place) { return At(place, {0x48, 0x8b, 0x00}, 1); }
roof_code_instruction Store(uint64_t place) { return At(place, {0xf2, 0x0f, 0x11, 0x00}, 1); }
roof_code_instruction Nop(uint64_t place) { return At(place, {0x90}); }

// Plays the translated code that writes the trace of a thread.
class Windows : public testing::Test {
 protected:
  explicit Windows() {
    KernelFiles::policy = "always [madvise] never\n";
    KernelFiles::smaps.clear();
    Start(true);
  }
  void Start(bool with_windows) {
    engine_ = std::make_unique<Engine>();
    Engine& e = *engine_;
    e.hooks = e.memory.Hooks();
    e.segments.memory = e.codes.memory = e.hooks;
    ASSERT_TRUE(roof_contexts_start(&e.contexts, &e.hooks, &e.segments, 4));
    roof_contexts_thread_created(&e.contexts, kSlot);
    roof_cache_config config = {};
    char error[ROOF_GEOMETRY_ERROR];
    ASSERT_TRUE(
        roof_geometry_parse("L1:32K:8,L2:256K:8,L3:1M:16", &config.geometry, error, sizeof error));
    config.line_sampling = 1;
    config.memory = e.hooks;
    ASSERT_TRUE(roof_cache_feed_start(&e.feed, &e.hooks, &config, &e.contexts, 4));
    ASSERT_TRUE(roof_trace_start(&e.trace, &e.hooks, &e.contexts, 1, Take, &e));
    if (!with_windows) return;
    roof_latencies core = {};
    core.operation[ROOF_L_DP_ADD] = 3;
    core.load[ROOF_FLOW_L1] = 4;
    core.load[ROOF_FLOW_L2] = 14;
    core.load[ROOF_FLOW_L3] = 50;
    core.load[ROOF_FLOW_DRAM] = 300;
    core.width = 4;
    core.window = 100;
    core.misses = 8;
    core.second_tlb = 7;
    core.walk_cache = 40;
    core.walk_dram = 200;
    ASSERT_TRUE(roof_windows_start(&e.windows, &e.hooks, &plan_, &core, &e.feed, 3, nullptr));
    ASSERT_TRUE(roof_windows_follow_pages(&e.windows, &e.files, 4));
    e.trace.window = roof_windows_take;
    e.trace.window_cookie = &e.windows;
  }
  const roof_descriptor* Segment(std::vector<roof_code_instruction> code) {
    auto segment = std::make_unique<roof_segment>();
    segment->sum[ROOF_C_INSTRUCTIONS] = static_cast<int32_t>(code.size());
    for (const auto& instruction : code)
      if (instruction.accesses)
        segment->tag[segment->accesses++] =
            ROOF_RECORD_TAG(instruction.operands.flags & ROOF_STORES ? ROOF_STORE : ROOF_LOAD, 8);
    segment->code =
        roof_codes_intern(&engine_->codes, code.data(), static_cast<uint32_t>(code.size()),
                          segment->sum[ROOF_C_INSTRUCTIONS]);
    return roof_segments_intern(&engine_->segments, segment.get());
  }
  roof_context* Enter(uint32_t path) {
    roof_contexts_set_own_path(&engine_->contexts, kSlot, path);
    roof_context* context = roof_contexts_enter(&engine_->contexts, kSlot);
    roof_trace_enter(&engine_->trace, kSlot, context);
    return context;
  }
  void Execute(const roof_descriptor* segment, const std::vector<uint64_t>& addresses = {}) {
    *engine_->trace.position++ = reinterpret_cast<uint64_t>(segment);
    for (uint64_t address : addresses) *engine_->trace.position++ = address;
    if (engine_->trace.position - engine_->trace.buffer > 200) roof_trace_flush(&engine_->trace);
  }
  // Executes a segment that has no accesses so many times in the path.
  roof_context* Visit(uint32_t path, const roof_descriptor* segment, int times) {
    roof_context* context = Enter(path);
    for (int i = 0; i < times; ++i) Execute(segment);
    return context;
  }
  // The counters of a context, all executed segments among them.
  std::vector<uint64_t> Counters(roof_context* context) {
    roof_trace_flush(&engine_->trace);
    if (engine_->windows.flow) roof_windows_finish(&engine_->windows);
    roof_context_fold(&engine_->contexts, context);
    return {context->counters, context->counters + ROOF_COUNTERS};
  }
  static void Take(void* cookie, uint32_t slot, const roof_context* context,
                   const uint64_t* records, size_t count) {
    auto* engine = static_cast<Engine*>(cookie);
    if (engine->windows.flow) roof_windows_note(&engine->windows, slot, records, count);
    roof_cache_feed_run(&engine->feed, slot, context, records, count);
  }
  struct Engine {
    Memory memory;
    roof_files files = KernelFiles::Hooks();
    roof_memory hooks{};
    roof_segments segments{};
    roof_codes codes{};
    roof_contexts contexts{};
    roof_cache_feed feed{};
    roof_trace trace{};
    roof_windows windows{};
  };
  std::unique_ptr<Engine> engine_;
  roof_window_plan plan_ = {1000, 100, 10, 0};
};

uint64_t Scattered(uint64_t i) { return (1 << 20) + i * 7919 % 1000003 * 4096; }

TEST_F(Windows, TakeOneInstructionInSoMany) {
  roof_context* work = Enter(1);
  const roof_descriptor* chain = Segment({Add(1), Nop(2), Nop(3), Nop(4)});
  for (int i = 0; i < 100000; ++i) Execute(chain);
  const auto counters = Counters(work);
  EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 400000u);
  // One in ten, a tenth of these warm up.
  EXPECT_NEAR(static_cast<double>(counters[ROOF_C_WINDOW_INSTRUCTIONS]), 36000, 1800);
  EXPECT_EQ(counters[ROOF_C_WINDOW_CYCLES], counters[ROOF_C_WINDOW_INSTRUCTIONS] / 4 * 3);
  EXPECT_EQ(counters[ROOF_C_WINDOW_FP_CYCLES], counters[ROOF_C_WINDOW_CYCLES]);
}

// The chain's instructions take three cycles each, the others a quarter of one.
TEST_F(Windows, ComeLessOftenInTimeAndStandForMore) {
  for (const uint32_t dense : {0, 10}) {
    plan_.dense = dense;
    Start(true);
    roof_context* work = Enter(1);
    const roof_descriptor* chain = Segment({Add(1), Add(2), Add(3), Add(4)});
    const roof_descriptor* others = Segment({Nop(5), Nop(6), Nop(7), Nop(8)});
    const roof_descriptor* phases[] = {chain, others, chain, others};
    for (const roof_descriptor* phase : phases)
      for (int i = 0; i < 100000; ++i) Execute(phase);
    roof_trace_flush(&engine_->trace);
    const uint32_t taken = engine_->windows.due[work->number].taken;
    // 1,600,000 instructions: 160 windows; with ten of each distance 10 + 10 + 10 + 10 + 1.
    EXPECT_NEAR(taken, dense ? 40 : 155, dense ? 2 : 7);
    const auto counters = Counters(work);
    EXPECT_NEAR(static_cast<double>(counters[ROOF_C_WINDOW_INSTRUCTIONS]), 0.09 * 1'600'000,
                0.1 * 0.09 * 1'600'000);
    EXPECT_NEAR(static_cast<double>(counters[ROOF_C_WINDOW_CYCLES]) /
                    static_cast<double>(counters[ROOF_C_WINDOW_INSTRUCTIONS]),
                (3 + 0.25) / 2, dense ? 0.3 : 0.1);
  }
}

TEST_F(Windows, KnowWhereEachAccessIsFound) {
  const roof_descriptor* chase = Segment({Chase(1)});
  roof_context* far = Enter(1);
  for (uint64_t i = 0; i < 20000; ++i) Execute(chase, {Scattered(i)});
  roof_context* near = Enter(2);
  for (uint64_t i = 0; i < 20000; ++i) Execute(chase, {4096});
  Enter(4);  // fills what the next one uses: 128 KiB, neighbours far apart in time
  for (uint64_t i = 0; i < 2048; ++i) Execute(chase, {(8 << 20) + i * 797 % 2048 * 64});
  roof_context* second = Enter(3);
  for (uint64_t i = 0; i < 20000; ++i) Execute(chase, {(8 << 20) + i * 797 % 2048 * 64});
  const auto of_far = Counters(far), of_near = Counters(near), of_second = Counters(second);
  EXPECT_EQ(of_far[ROOF_C_WINDOW_DRAM_CYCLES], 300 * of_far[ROOF_C_WINDOW_INSTRUCTIONS]);
  EXPECT_EQ(of_near[ROOF_C_WINDOW_L1_CYCLES], 4 * of_near[ROOF_C_WINDOW_INSTRUCTIONS]);
  EXPECT_GT(of_second[ROOF_C_WINDOW_L2_CYCLES], of_second[ROOF_C_WINDOW_L1_CYCLES]);
  EXPECT_EQ(of_second[ROOF_C_WINDOW_DRAM_CYCLES], 0u);
  for (const auto& counters : {of_far, of_near, of_second})
    EXPECT_GE(counters[ROOF_C_WINDOW_INSTRUCTIONS], 900u);
}

// A line in each of so many pages from `begin` on, in turns that no prefetcher follows.
uint64_t InPage(uint64_t begin, uint64_t pages, uint64_t i) {
  const uint64_t page = i * 797 % pages;
  return begin + page * 4096 + (page >> 3 & 63) * 64;
}

// Nothing but the kernel's word tells the two mappings apart.
TEST_F(Windows, ChargeWalksOfSmallPages) {
  constexpr uint64_t kSmall = 0x40000000, kHuge = 0x80000000, kUnknown = 0xc0000000;
  KernelFiles::smaps =
      "40000000-80000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr\n"
      "80000000-c0000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr hg\n";
  plan_.one_in = 100;
  Start(true);
  const roof_descriptor* chase = Segment({Chase(1)});
  uint32_t path = 0;
  const auto cycles = [&](uint64_t begin, uint64_t pages) {
    roof_context* work = Enter(++path);
    uint64_t at = 0;
    const auto execute = [&](uint64_t times) {
      for (; times > 0; --times) Execute(chase, {InPage(begin, pages, at++)});
      return Counters(work);
    };
    // Nothing is known of pages in a first window.
    const auto first = execute(2000), all = execute(120'000);
    EXPECT_EQ(first[ROOF_C_WINDOW_INSTRUCTIONS], 900u);
    EXPECT_EQ(all[ROOF_C_WINDOW_INSTRUCTIONS], 1800u);
    return static_cast<double>(all[ROOF_C_WINDOW_CYCLES] - first[ROOF_C_WINDOW_CYCLES]) / 900;
  };
  EXPECT_EQ(cycles(kSmall, 100), 4);
  EXPECT_EQ(cycles(kSmall, 512), 4 + 7);
  EXPECT_NEAR(cycles(kSmall, 2048), 14 + 7, 0.5);
  EXPECT_NEAR(cycles(kSmall, 8192), 50 + 40, 1);
  EXPECT_NEAR(cycles(kSmall, 100'003), 300 + 200, 2);
  for (const uint64_t other : {kHuge, kUnknown}) {
    EXPECT_NEAR(cycles(other, 8192), 50, 1);
    EXPECT_NEAR(cycles(other, 100'003), 300, 2);
  }
  EXPECT_EQ(KernelFiles::open_files, 0);
}

// As much of a context's accesses as is needed before its window, not all of them.
TEST_F(Windows, FollowPagesForAQuarterOfTheWay) {
  KernelFiles::smaps = "40000000-80000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr\n";
  plan_.one_in = 100;
  Start(true);
  const roof_descriptor* chase = Segment({Chase(1)});
  Enter(1);
  constexpr uint64_t kAccesses = 1'000'000;
  for (uint64_t i = 0; i < kAccesses; ++i) Execute(chase, {InPage(0x40000000, 8192, i)});
  roof_trace_flush(&engine_->trace);
  const auto part = static_cast<double>(engine_->windows.walks.touched) / kAccesses;
  EXPECT_GT(part, 0.1);
  EXPECT_LT(part, 0.25);
}

TEST_F(Windows, RememberWhereMostCyclesAreSpent) {
  roof_context* work = Enter(1);
  const roof_descriptor* chain = Segment({Add(7), Nop(2), Add(8), Nop(3)});
  for (int i = 0; i < 30000; ++i) Execute(chain);
  uint64_t of_all = Counters(work)[ROOF_C_WINDOW_CYCLES], known = 0;
  for (const roof_critical& critical : work->critical) {
    if (critical.cycles == 0) continue;
    EXPECT_THAT(critical.place, testing::AnyOf(7u, 8u));
    EXPECT_NEAR(static_cast<double>(critical.cycles), static_cast<double>(of_all) / 2, 100);
    known += critical.cycles;
  }
  EXPECT_EQ(known, of_all);
  // More places than are kept, each less than those two.
  for (uint64_t place = 100; place < 200; ++place) {
    const roof_descriptor* other = Segment({Add(place), Nop(2), Nop(3), Nop(4)});
    for (int i = 0; i < 300; ++i) Execute(other);
  }
  of_all = Counters(work)[ROOF_C_WINDOW_CYCLES];
  known = 0;
  size_t kept = 0;
  for (const roof_critical& critical : work->critical) {
    known += critical.cycles;
    kept += critical.place == 7 || critical.place == 8;
  }
  EXPECT_EQ(known, of_all) << "the cycles of a place that gives way stay";
  EXPECT_EQ(kept, 2u);
  roof_contexts_clear(&engine_->contexts);
  for (const roof_critical& critical : work->critical) EXPECT_EQ(critical.cycles, 0u);
}

// Whatever windows look at, everything else is counted as without them.
TEST_F(Windows, LeaveAllOtherCountersAlone) {
  std::vector<uint64_t> expected;
  for (bool with_windows : {false, true}) {
    Start(with_windows);
    roof_context* work = Enter(1);
    const roof_descriptor* both = Segment({Chase(1), Add(2), Store(3)});
    const roof_descriptor* none = Segment({Add(7)});
    for (uint64_t i = 0; i < 30000; ++i) {
      Execute(both, {Scattered(i % 40000), Scattered(i % 300) + 8});
      if (i % 3 == 0) Execute(none);
    }
    const auto counters = Counters(work);
    if (!with_windows) {
      expected = counters;
      EXPECT_EQ(counters[ROOF_C_WINDOW_INSTRUCTIONS], 0u);
      continue;
    }
    EXPECT_GT(counters[ROOF_C_WINDOW_INSTRUCTIONS], 5000u);
    for (size_t i = 0; i < ROOF_C_WINDOW_INSTRUCTIONS; ++i)
      EXPECT_EQ(counters[i], expected[i]) << i;
  }
}

// A context whose visits are shorter than the warm-up gets its windows, too, across them.
TEST_F(Windows, TellInHowManyStreamsLinesComeFromDram) {
  roof_context *two = Enter(1), *none = Enter(2);
  const roof_descriptor* loads = Segment({Chase(1), Chase(2)});
  Enter(1);
  for (uint64_t i = 0; i < 50000; ++i) {
    Execute(loads, {(uint64_t{1} << 24) + 64 * i, (uint64_t{1} << 30) - 64 * i});
  }
  const auto counters = Counters(two);
  ASSERT_GT(counters[ROOF_C_WINDOW_LINES], 0u);
  EXPECT_EQ(counters[ROOF_C_WINDOW_LINES], counters[ROOF_C_WINDOW_INSTRUCTIONS]);
  EXPECT_EQ(counters[ROOF_C_WINDOW_LINES], 2 * counters[ROOF_C_WINDOW_STREAM_LINES]);
  Enter(2);
  for (uint64_t i = 0; i < 50000; ++i) Execute(loads, {1 << 20, (1 << 20) + 64 * (i % 100)});
  EXPECT_GT(Counters(none)[ROOF_C_WINDOW_INSTRUCTIONS], 0u);
  EXPECT_EQ(Counters(none)[ROOF_C_WINDOW_LINES], 0u) << "the caches have them";
}

TEST_F(Windows, AreFilledAcrossVisits) {
  const roof_descriptor* chain = Segment({Add(1)});
  const roof_descriptor* other = Segment({Nop(2)});
  roof_context* work = nullptr;
  for (int visit = 0; visit < 2000; ++visit) {
    work = Visit(1, chain, 20);
    Visit(2, other, 20);
  }
  const auto counters = Counters(work);
  EXPECT_GE(counters[ROOF_C_WINDOW_INSTRUCTIONS], 900u);
  EXPECT_EQ(counters[ROOF_C_WINDOW_CYCLES], 3 * counters[ROOF_C_WINDOW_INSTRUCTIONS]);
}

// One that never comes back does not keep the others from theirs.
TEST_F(Windows, OfAContextThatDoesNotComeBackAreGivenUp) {
  const roof_descriptor* chain = Segment({Add(1)});
  Visit(1, chain, 1200);  // opens its window
  roof_context* work = Visit(2, chain, 200000);
  EXPECT_GE(Counters(work)[ROOF_C_WINDOW_INSTRUCTIONS], 9000u);
}

// In batches as large as the trace's buffer that was soon enough for longer programs alone.
TEST_F(Windows, OfAContextThatDoesNotComeBackLeaveAShortOneItsOwn) {
  const roof_descriptor* chain = Segment({Add(1)});
  Visit(1, chain, 1200);
  roof_context* work = Visit(2, chain, 15000);
  EXPECT_GE(Counters(work)[ROOF_C_WINDOW_INSTRUCTIONS], 900u);
}

// One whose visits are short comes back after ever so many of others that are short, too.
TEST_F(Windows, OfAContextThatComesBackAreNotGivenUp) {
  const roof_descriptor* chain = Segment({Add(1)});
  const roof_descriptor* other = Segment({Nop(2)});
  roof_context* work = nullptr;
  for (int visit = 0; visit < 200; ++visit) {
    work = Visit(1, chain, 20);
    for (uint32_t between = 0; between < 400; ++between) Visit(2 + between % 2, other, 2);
  }
  EXPECT_GE(Counters(work)[ROOF_C_WINDOW_INSTRUCTIONS], 900u);
}

TEST_F(Windows, AreOfWorkAlone) {
  const roof_descriptor* chain = Segment({Add(1)});
  ASSERT_TRUE(
      roof_layers_enter(&engine_->contexts.threads[kSlot].layers, &engine_->hooks, ROOF_LAYER_MPI));
  roof_context* waiting = Enter(1);
  for (int i = 0; i < 20000; ++i) Execute(chain);
  const auto counters = Counters(waiting);
  EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 20000u);
  EXPECT_EQ(counters[ROOF_C_WINDOW_INSTRUCTIONS], 0u);
}

// The same place, translated again, is the same code; what differs is another one.
TEST_F(Windows, KeepCodeOnce) {
  EXPECT_EQ(Segment({Add(1), Nop(2)}), Segment({Add(1), Nop(2)}));
  EXPECT_NE(Segment({Add(1), Nop(2)}), Segment({Add(1), Nop(3)}));
  EXPECT_NE(Segment({Add(1), Nop(2)}), Segment({Nop(1), Nop(2)}));
}

}  // namespace
}  // namespace roofmark
