// SPDX-License-Identifier: BSD-3-Clause
//
// Every kind of fault, at the call that it names and at no other.
#include <sys/mman.h>

#include "counters.h"

namespace vpmu_test {
namespace {

using FaultsTest = OnMachine;

TEST_F(FaultsTest, OnlyTheNamedCallFails) {
  for (const auto& [name, number] :
       {std::pair("EACCES", EACCES), std::pair("EMFILE", EMFILE), std::pair("EBUSY", EBUSY),
        std::pair("EINVAL", EINVAL), std::pair("EIO", EIO), std::pair("ENODEV", ENODEV)}) {
    ASSERT_EQ(vpmu_fault((std::string("open:2:") + name + ";read:2:" + name + ";ioctl:1:" + name +
                          ";mmap:1:" + name)
                             .c_str()),
              0);
    const Counter counter(Attributes(kInstructions));
    EXPECT_EQ(OpenError(Attributes(kInstructions)), number);
    EXPECT_EQ(OpenError(Attributes(kInstructions)), 0);
    vpmu_retire(0, kInstructions, 5);
    EXPECT_EQ(counter.Value(), 5u);
    uint64_t word = 99;
    EXPECT_EQ(read(counter.fd(), &word, sizeof(word)), -1);
    EXPECT_EQ(errno, number);
    EXPECT_EQ(word, 99u);
    EXPECT_EQ(counter.Value(), 5u);
    EXPECT_EQ(counter.Control(PERF_EVENT_IOC_RESET), -1);
    EXPECT_EQ(errno, number);
    EXPECT_EQ(counter.Value(), 5u);
    EXPECT_EQ(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, counter.fd(), 0), MAP_FAILED);
    EXPECT_EQ(errno, number);
  }
}

TEST_F(FaultsTest, RangesOfCalls) {
  ASSERT_EQ(vpmu_fault("read:3+:EIO;open:*:EACCES"), 0);
  EXPECT_EQ(OpenError(Attributes(kInstructions)), EACCES);
  EXPECT_EQ(OpenError(Attributes(kInstructions)), EACCES);
  ASSERT_EQ(vpmu_fault("read:3+:EIO"), 0);
  const Counter counter(Attributes(kInstructions));
  uint64_t word = 0;
  int failed = 0;
  for (int i = 0; i < 6; ++i) failed += read(counter.fd(), &word, sizeof(word)) < 0;
  EXPECT_EQ(failed, 4);
}

TEST_F(FaultsTest, ReadsEndEarly) {
  ASSERT_EQ(vpmu_fault("read:1:short;read:2:eof"), 0);
  const Counter counter(Attributes(kInstructions, kTimes | PERF_FORMAT_ID));
  uint64_t words[4];
  EXPECT_EQ(read(counter.fd(), words, sizeof(words)), 16);
  EXPECT_EQ(read(counter.fd(), words, sizeof(words)), 0);
  EXPECT_EQ(read(counter.fd(), words, sizeof(words)), 32);
}

TEST_F(FaultsTest, ValuesGoWrong) {
  ASSERT_EQ(vpmu_fault("read:2:stale;read:4:backwards;read:6+:wrap48"), 0);
  const Counter counter(Attributes(kInstructions));
  const auto next = [&] {
    vpmu_retire(0, kInstructions, 100);
    return counter.Value();
  };
  EXPECT_EQ(next(), 100u);
  EXPECT_EQ(next(), 100u);
  EXPECT_EQ(next(), 300u);
  EXPECT_LT(next(), 300u);
  EXPECT_EQ(next(), 500u);
  EXPECT_EQ(next(), 0u);
}

TEST_F(FaultsTest, AnEventWrapsAt48Bits) {
  ASSERT_EQ(vpmu_fault("open:1:wrap48"), 0);
  const Counter counter(Attributes(kInstructions));
  const uint64_t start = counter.Value();
  EXPECT_EQ(start, (uint64_t{1} << 48) - 1000);
  vpmu_retire(0, kInstructions, 999);
  EXPECT_EQ(counter.Value(), start + 999);
  vpmu_retire(0, kInstructions, 11);
  EXPECT_EQ(counter.Value(), 10u);
}

TEST_F(FaultsTest, AFailedCloseHasClosed) {
  ASSERT_EQ(vpmu_fault("close:1:EIO"), 0);
  const int fd = OpenCounter(Attributes(kInstructions));
  EXPECT_EQ(close(fd), -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(Statistics().open_descriptors, 0u);
  EXPECT_EQ(Statistics().events, 0u);
}

TEST_F(FaultsTest, RealEventsAreCountedAndHitToo) {
  const Counter real(Attributes(PERF_COUNT_SW_TASK_CLOCK, 0, PERF_TYPE_SOFTWARE));
  if (real.fd() < 0) GTEST_SKIP() << "the kernel opens no software event";
  ASSERT_EQ(vpmu_fault("read:2:EIO"), 0);
  uint64_t word = 0;
  EXPECT_EQ(read(real.fd(), &word, sizeof(word)), 8);
  EXPECT_EQ(read(real.fd(), &word, sizeof(word)), -1);
  EXPECT_EQ(Statistics().reads, 2u);
}

TEST_F(FaultsTest, RulesThatMeanNothingAreRefused) {
  for (const char* rules : {"read", "read:0:EIO", "read:x:EIO", "read:1:EWHAT", "close:1:short",
                            "lseek:1:EIO", "read:1:EIO;open:1"}) {
    EXPECT_EQ(vpmu_fault(rules), -1) << rules;
  }
  EXPECT_EQ(OpenError(Attributes(kInstructions)), 0);
  EXPECT_EQ(vpmu_fault(nullptr), 0);
}

TEST_F(FaultsTest, CallsAreCounted) {
  vpmu_fault(nullptr);
  {
    const Counter counter(Attributes(kInstructions));
    (void)OpenError(Attributes(0, 0, 999));
    counter.Control(PERF_EVENT_IOC_RESET);
    counter.Value();
    counter.Value();
    EXPECT_EQ(Statistics().open_descriptors, 1u);
  }
  const vpmu_statistics seen = Statistics();
  EXPECT_EQ(seen.opens, 2u);
  EXPECT_EQ(seen.ioctls, 1u);
  EXPECT_EQ(seen.reads, 2u);
  EXPECT_EQ(seen.closes, 1u);
}

}  // namespace
}  // namespace vpmu_test
