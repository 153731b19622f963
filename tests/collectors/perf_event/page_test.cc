// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/page.h"

#include <gtest/gtest.h>

namespace roofmark::perf {
namespace {

TEST(AddCounter, ExtendsTheSignFromTheCountersWidth) {
  // The kernel arms a counter at -2^47 and has put the rest into the offset.
  const uint64_t armed = uint64_t{1} << 47;
  EXPECT_EQ(AddCounter(int64_t{1} << 47, armed, 48), 0u);
  EXPECT_EQ(AddCounter(int64_t{1} << 47, armed + 5, 48), 5u);
  EXPECT_EQ(AddCounter(1000, (uint64_t{1} << 48) - 1, 48), 999u);
  EXPECT_EQ(AddCounter(1000, 7, 48), 1007u);
  EXPECT_EQ(AddCounter(1000, 0xffffffffu, 32), 999u);
  EXPECT_EQ(AddCounter(0, 7, 64), 7u);
}

TEST(AddCounter, IgnoresWhatIsAboveTheWidth) {
  EXPECT_EQ(AddCounter(0, (uint64_t{0xabcd} << 48) | 12, 48), 12u);
}

TEST(ReadPage, WithoutACounterNothingIsRead) {
  perf_event_mmap_page page{};
  PageReading reading;
  EXPECT_FALSE(CanReadInUserSpace(page));
  EXPECT_FALSE(ReadPage(page, reading));
  page.cap_user_rdpmc = 1;
  page.pmc_width = 48;
  page.index = 0;  // the event waits
  EXPECT_FALSE(ReadPage(page, reading));
  page.index = 1;
  page.time_enabled = 10;
  page.time_running = 5;  // multiplexed, and the kernel does not tell the time
  EXPECT_FALSE(ReadPage(page, reading));
}

}  // namespace
}  // namespace roofmark::perf
