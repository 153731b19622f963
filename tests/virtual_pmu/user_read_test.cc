// SPDX-License-Identifier: BSD-3-Clause
//
// The user-space read: the page's sequence lock, index, offset, sign and times.
#include <sys/mman.h>

#include <atomic>
#include <thread>

#include "counters.h"

namespace vpmu_test {
namespace {

struct UserRead {
  bool readable;  // a counter was read, not only the page
  uint64_t value, enabled_ns, running_ns;
};

uint64_t ReadCounter(uint32_t index) {
  uint32_t low = 0, high = 0;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
  return static_cast<uint64_t>(high) << 32 | low;
}

uint64_t SinceUpdate(const perf_event_mmap_page& page) {
  if (!page.cap_user_time) return 0;
  const uint64_t cycles = __builtin_ia32_rdtsc();
  const uint64_t quotient = cycles >> page.time_shift;
  const uint64_t rest = cycles & ((uint64_t{1} << page.time_shift) - 1);
  return page.time_offset + quotient * page.time_mult +
         ((rest * page.time_mult) >> page.time_shift);
}

// As the comments of linux/perf_event.h have it.
UserRead ReadPage(const volatile perf_event_mmap_page* mapped) {
  auto* page = const_cast<const perf_event_mmap_page*>(mapped);
  UserRead result{};
  uint32_t sequence = 0;
  do {
    sequence = mapped->lock;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const uint64_t since = SinceUpdate(*page);
    const uint32_t index = mapped->index;
    result = {false, static_cast<uint64_t>(page->offset), page->time_enabled + since,
              page->time_running + (index != 0 ? since : 0)};
    if (page->cap_user_rdpmc && index != 0) {
      const int shift = 64 - page->pmc_width;
      result.readable = true;
      result.value +=
          static_cast<uint64_t>(static_cast<int64_t>(ReadCounter(index - 1) << shift) >> shift);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (mapped->lock != sequence);
  return result;
}

class Page {
 public:
  explicit Page(const Counter& counter)
      : page_(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, counter.fd(), 0)) {
    EXPECT_NE(page_, MAP_FAILED) << errno;
  }
  ~Page() { munmap(page_, 4096); }
  UserRead Read() const { return ReadPage(static_cast<perf_event_mmap_page*>(page_)); }

 private:
  void* page_;
};

class UserReadTest : public OnMachine {
 protected:
  void SetUp() override {
    if (vpmu_no_rdpmc() != nullptr) GTEST_SKIP() << "rdpmc: " << vpmu_no_rdpmc();
  }
};

TEST_F(UserReadTest, EqualsTheSystemCall) {
  const Counter counter(Attributes(kScalarDouble)), other(Attributes(kSingle));
  const Page page(counter), other_page(other);
  for (uint64_t n : {1, 1000, 123456789}) {
    vpmu_retire(0, kScalarDouble, n);
    vpmu_retire(0, kSingle, 3 * n);
    EXPECT_TRUE(page.Read().readable);
    EXPECT_EQ(page.Read().value, counter.Value());
    EXPECT_EQ(other_page.Read().value, other.Value());
  }
  EXPECT_EQ(counter.Value(), 123457790u);
  EXPECT_GE(Statistics().rdpmcs, 9u);
}

TEST_F(UserReadTest, FollowsCommands) {
  const Counter counter(Attributes(kScalarDouble));
  const Page page(counter);
  vpmu_retire(0, kScalarDouble, 10);
  counter.Control(PERF_EVENT_IOC_DISABLE);
  EXPECT_FALSE(page.Read().readable);
  EXPECT_EQ(page.Read().value, 10u);
  counter.Control(PERF_EVENT_IOC_ENABLE);
  vpmu_retire(0, kScalarDouble, 5);
  EXPECT_EQ(page.Read().value, 15u);
  counter.Control(PERF_EVENT_IOC_RESET);
  vpmu_retire(0, kScalarDouble, 2);
  EXPECT_EQ(page.Read().value, 2u);
}

TEST_F(UserReadTest, CanBeOff) {
  const Counter counter(Attributes(kScalarDouble));
  const Page page(counter);
  vpmu_retire(0, kScalarDouble, 10);
  EXPECT_TRUE(page.Read().readable);
  vpmu_set_user_read(0);
  EXPECT_FALSE(page.Read().readable);
  EXPECT_EQ(page.Read().value, 10u);  // as of the page's last update
  EXPECT_EQ(counter.Value(), 10u);
}

TEST_F(UserReadTest, AnotherThreadsCounterIsNotThere) {
  const Counter counter(Attributes(kScalarDouble));
  const Page page(counter);
  vpmu_retire(0, kScalarDouble, 10);
  uint64_t seen = 0;
  std::thread([&] { seen = page.Read().value; }).join();
  EXPECT_NE(seen, 10u);
}

TEST_F(UserReadTest, WhileAnEventWaitsThePageSaysSo) {
  vpmu_freeze();
  vpmu_reserve("cpu", 7);
  const Counter first(Attributes(kScalarDouble)), second(Attributes(kSingle));
  const Page page(second);
  int readable = 0;
  for (int slice = 0; slice < 10; ++slice) {
    vpmu_retire(0, kSingle, 4);
    readable += page.Read().readable;
    vpmu_advance(1000000);
  }
  EXPECT_EQ(readable, 5);
  EXPECT_EQ(page.Read().value, 20u);
  EXPECT_EQ(page.Read().enabled_ns, 10000000u);
  EXPECT_EQ(page.Read().running_ns, 5000000u);
}

TEST_F(UserReadTest, TimesRunOnWithoutASystemCall) {
  const Counter counter(Attributes(kScalarDouble, kTimes));
  const Page page(counter);
  const auto before = counter.Read();
  usleep(20000);
  const UserRead now = page.Read();
  const auto after = counter.Read();
  if (now.enabled_ns <= before[1]) GTEST_SKIP() << "the real kernel gives no clock to user space";
  // Read between the other two. The kernel rounds the rate of the clock.
  constexpr uint64_t kRoundingNs = 1'000'000;
  EXPECT_GE(now.enabled_ns + kRoundingNs, before[1] + 20'000'000);
  EXPECT_LE(now.enabled_ns, after[1] + kRoundingNs);
  EXPECT_EQ(now.enabled_ns, now.running_ns);
}

TEST_F(UserReadTest, MappingsFollowTheKernelsRules) {
  const Counter counter(Attributes(kScalarDouble));
  const auto map = [&](size_t length, int flags = MAP_SHARED) {
    void* page = mmap(nullptr, length, PROT_READ | PROT_WRITE, flags, counter.fd(), 0);
    if (page == MAP_FAILED) return errno;
    EXPECT_EQ(Statistics().mappings, 1u);
    munmap(page, length);
    return 0;
  };
  EXPECT_EQ(map(4096), 0);
  EXPECT_EQ(map(4096 * 9), 0);
  EXPECT_EQ(map(4096 * 4), EINVAL);
  EXPECT_EQ(map(4096, MAP_PRIVATE), EINVAL);
  auto attr = Attributes(kSingle);
  attr.inherit = 1;
  const Counter inherited(attr);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, inherited.fd(), 0), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace vpmu_test
