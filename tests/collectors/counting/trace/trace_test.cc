// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/trace/trace.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

struct Batch {
  uint32_t slot, path;
  std::vector<uint64_t> records;
};

// Plays the translated code that writes the trace.
class Trace : public testing::Test {
 protected:
  Trace() : trace_(std::make_unique<roof_trace>()) {
    hooks_ = memory_.Hooks();
    segments_.memory = hooks_;
    EXPECT_TRUE(roof_contexts_start(&contexts_, &hooks_, &segments_, 4));
    for (uint32_t slot = 1; slot < 4; ++slot) roof_contexts_thread_created(&contexts_, slot);
    Start(1);
  }
  void Start(uint32_t line_sampling) {
    ASSERT_TRUE(roof_trace_start(trace_.get(), &hooks_, &contexts_, line_sampling, Take, this));
  }
  const roof_descriptor* Segment(std::initializer_list<uint64_t> tags, uint32_t guarded = 0) {
    auto segment = std::make_unique<roof_segment>();
    segment->sum[ROOF_C_INSTRUCTIONS] = 1;
    for (uint64_t tag : tags) segment->tag[segment->accesses++] = tag;
    segment->guarded = guarded;
    return roof_segments_intern(&segments_, segment.get());
  }
  roof_context* Enter(uint32_t slot, uint32_t path) {
    roof_contexts_set_own_path(&contexts_, slot, path);
    roof_context* context = roof_contexts_enter(&contexts_, slot);
    roof_trace_enter(trace_.get(), slot, context);
    return context;
  }
  void Write(const roof_descriptor* segment, std::initializer_list<uint64_t> addresses) {
    *trace_->position++ = reinterpret_cast<uint64_t>(segment);
    for (uint64_t address : addresses) *trace_->position++ = address;
  }
  static void Take(void* cookie, uint32_t slot, const roof_context* context,
                   const uint64_t* records, size_t count) {
    static_cast<Trace*>(cookie)->batches_.push_back(
        {slot, context->path, {records, records + count}});
  }

  Memory memory_;
  roof_memory hooks_{};
  roof_segments segments_{};
  roof_contexts contexts_{};
  std::unique_ptr<roof_trace> trace_;
  std::vector<Batch> batches_;
};

constexpr uint64_t kLoad = ROOF_RECORD_TAG(ROOF_LOAD, 8);
constexpr uint64_t kStore = ROOF_RECORD_TAG(ROOF_STORE, 8);

TEST_F(Trace, AddressesGetTheirTagsAndSegmentsTheirCounts) {
  const roof_descriptor* copy = Segment({kLoad, kStore});
  roof_context* context = Enter(1, 5);
  Write(copy, {0x1000, 0x2000});
  Write(copy, {0x1008, 0x2008});
  roof_trace_flush(trace_.get());
  ASSERT_EQ(batches_.size(), 1u);
  EXPECT_EQ(batches_[0].slot, 1u);
  EXPECT_EQ(batches_[0].path, 5u);
  EXPECT_EQ(batches_[0].records, (std::vector<uint64_t>{kLoad | 0x1000, kStore | 0x2000,
                                                        kLoad | 0x1008, kStore | 0x2008}));
  EXPECT_EQ(context->executions[copy->id], 2u);
  roof_trace_flush(trace_.get());
  EXPECT_EQ(batches_.size(), 1u);
}

TEST_F(Trace, AGuardedAccessWithoutAddressDidNotTakePlace) {
  const roof_descriptor* masked = Segment({kLoad, kLoad, kStore}, 2);
  Enter(1, 1);
  Write(masked, {0x1000, 0, 0x3000});
  roof_trace_flush(trace_.get());
  ASSERT_EQ(batches_.size(), 1u);
  EXPECT_EQ(batches_[0].records, (std::vector<uint64_t>{kLoad | 0x1000, kStore | 0x3000}));
}

TEST_F(Trace, AnotherContextHandsOverWhatTheLastOneWrote) {
  const roof_descriptor* load = Segment({kLoad});
  Enter(1, 1);
  Write(load, {0x1000});
  Enter(1, 1);
  Write(load, {0x1040});
  EXPECT_TRUE(batches_.empty());
  Enter(2, 1);
  Write(load, {0x2000});
  Enter(1, 7);
  ASSERT_EQ(batches_.size(), 2u);
  EXPECT_EQ(batches_[0].slot, 1u);
  EXPECT_EQ(batches_[0].records.size(), 2u);
  EXPECT_EQ(batches_[1].slot, 2u);
  EXPECT_EQ(batches_[1].records, (std::vector<uint64_t>{kLoad | 0x2000}));
}

TEST_F(Trace, SamplingKeepsOneLineInSixteen) {
  Start(16);
  const roof_descriptor* load = Segment({kLoad});
  roof_context* context = Enter(1, 1);
  constexpr uint64_t kLines = 4096;
  for (uint64_t line = 0; line < kLines; ++line) Write(load, {0x100000 + line * 64});
  roof_trace_flush(trace_.get());
  size_t kept = 0;
  for (const Batch& batch : batches_) {
    kept += batch.records.size();
    for (uint64_t record : batch.records)
      EXPECT_TRUE(ROOF_SAMPLE_SELECTED(ROOF_RECORD_ADDRESS(record), 4));
  }
  EXPECT_EQ(kept, kLines / 16);
  EXPECT_EQ(context->executions[load->id], kLines) << "instructions are not sampled";
}

TEST_F(Trace, ALongBufferIsHandedOverInBatches) {
  const roof_descriptor* load = Segment({kLoad});
  Enter(1, 1);
  constexpr uint64_t kAccesses = 3 * ROOF_TRACE_RECORDS + 5;
  for (uint64_t i = 0; i < kAccesses; ++i) Write(load, {i * 8});
  roof_trace_flush(trace_.get());
  ASSERT_EQ(batches_.size(), 4u);
  uint64_t next = 0;
  for (const Batch& batch : batches_)
    for (uint64_t record : batch.records) ASSERT_EQ(ROOF_RECORD_ADDRESS(record), next++ * 8);
  EXPECT_EQ(next, kAccesses);
}

TEST_F(Trace, OneBitTellsThatTheBufferIsFull) {
  auto at = [&](size_t bytes) { return reinterpret_cast<uintptr_t>(trace_->buffer) + bytes; };
  EXPECT_EQ(at(0) & ROOF_TRACE_FULL_BIT, 0u);
  EXPECT_EQ(at(ROOF_TRACE_BYTES - 8) & ROOF_TRACE_FULL_BIT, 0u);
  EXPECT_NE(at(ROOF_TRACE_BYTES) & ROOF_TRACE_FULL_BIT, 0u);
  EXPECT_NE(at(2 * ROOF_TRACE_BYTES - 8) & ROOF_TRACE_FULL_BIT, 0u);
}

TEST_F(Trace, WithoutMemoryThereIsNoTrace) {
  memory_.limit = memory_.bytes;
  EXPECT_FALSE(roof_trace_start(trace_.get(), &hooks_, &contexts_, 1, Take, this));
}

}  // namespace
}  // namespace roofmark
