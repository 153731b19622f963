// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/start_cpus.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

// On a thread of its own, whose mask is changed.
TEST(StartCpus, StayWhatTheyWereWhereAThreadIsBound) {
  const std::string before = StartCpuList();
  EXPECT_EQ(before, AffinityCpuList()) << "of the thread that all tests are on";
  ASSERT_FALSE(ParseCpuList(before).empty());
  std::thread([&before] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(*ParseCpuList(before).begin(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(CountCpus(AffinityCpuList()), 1u);
    EXPECT_EQ(StartCpuList(), before);
    EXPECT_TRUE(ReturnToStartCpus());
    EXPECT_EQ(AffinityCpuList(), before);
  }).join();
}

TEST(CpuLists, OfAThreadThatIsNotThereAreEmpty) { EXPECT_EQ(AffinityCpuList(0x3fffffff), ""); }

}  // namespace
}  // namespace roofmark
