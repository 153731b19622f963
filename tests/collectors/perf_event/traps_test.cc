// SPDX-License-Identifier: BSD-3-Clause
//
// Traps of docs/counters.md that no other test holds shut.
#include <gmock/gmock.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "tests/collectors/perf_event/on_virtual_machine.h"

namespace roofmark::perf_test {
namespace {

class CounterTraps : public OnVirtualMachine {};

// Descriptor 0 for the test, with something to read on it.
class FilledInput {
 public:
  FilledInput() : kept_(dup(STDIN_FILENO)) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_EQ(write(ends[1], kText.data(), kText.size()), static_cast<ssize_t>(kText.size()));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
  }
  ~FilledInput() {
    dup2(kept_, STDIN_FILENO);
    close(kept_);
  }
  static std::string Rest() {
    std::string text(2 * kText.size(), '\0');
    const ssize_t got = read(STDIN_FILENO, text.data(), text.size());
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return text;
  }

  static constexpr std::string_view kText = "input of the application\n";

 private:
  const int kept_;
};

TEST_F(CounterTraps, StandardInputIsUntouchedWithoutAnyCounter) {
  const FilledInput input;
  {  // nothing may be opened
    vpmu_set_paranoid(3);
    ASSERT_FALSE(Open());
    collector_.reset();
    vpmu_set_paranoid(2);
  }
  ASSERT_TRUE(Open());
  ASSERT_EQ(vpmu_fault("open:*:EMFILE;read:*:EBADF"), 0);
  std::thread([&] {  // a thread without counters, beside one whose reads fail
    collector_->EnterTeam(1);
    collector_->EnterOwn(2);
    collector_->EnterOwn(0);
    collector_->EnterTeam(0);
  })
      .join();
  Harvest();
  vpmu_fault(nullptr);
  EXPECT_EQ(FilledInput::Rest(), FilledInput::kText);
}

TEST_F(CounterTraps, MemoryDoesNotGrowWithVisits) {
  vpmu_set_privileged(1);
  ASSERT_TRUE(Open());
  collector_->DefinePath(1, 0, "a");
  collector_->DefinePath(2, 1, "a/b");
  const auto visit = [&](int times) {
    for (int i = 0; i < times; ++i) {
      collector_->EnterTeam(1);
      collector_->EnterTeam(2);
      collector_->EnterTeam(1);
      collector_->EnterTeam(0);
      collector_->EnterOwn(1);
      collector_->EnterOwn(0);
    }
  };
  visit(100);
  const auto before = mallinfo2();
  visit(5000);
  const auto after = mallinfo2();
  EXPECT_LE(after.uordblks, before.uordblks + 1024);
  EXPECT_EQ(after.hblkhd, before.hblkhd);
}

// a begins, b begins, a ends, b ends: the markers' tree says where the counts go, none is lost.
TEST_F(CounterTraps, OverlappingRegionsLoseNothing) {
  vpmu_set_privileged(1);
  ASSERT_TRUE(Open());
  collector_->DefinePath(1, 0, "a");
  collector_->DefinePath(2, 1, "a/b");
  collector_->DefinePath(3, 0, "c");
  const auto work = [](uint64_t n) {
    vpmu_retire(0, kScalarDouble, n);
    vpmu_device(0, "uncore_imc_0", 0x304, n);
  };
  collector_->EnterTeam(1);
  work(1);
  collector_->EnterTeam(2);
  work(10);
  collector_->EnterTeam(0);  // the end of a, with b in it
  work(100);
  collector_->EnterTeam(3);
  work(1000);
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDpScalar), 1u);
  EXPECT_EQ(sums.Total(2, kDpScalar), 10u);
  EXPECT_EQ(sums.Total(3, kDpScalar), 1000u);
  const auto bytes = [&](const char* path) {
    const auto& parts = sums.shared[{path, metric::kPackageDramReadBytes}];
    return parts.empty() ? 0 : parts[0].first.sum;
  };
  EXPECT_EQ(bytes("a"), 64u * 11);
  EXPECT_EQ(bytes("a/b"), 64u * 10);
  EXPECT_EQ(bytes("c"), 64u * 1000);
}

// An intermediate profile changes nothing of what the end gives, and has no package's values: those
// are handed over once.
TEST_F(CounterTraps, HarvestingOnTheWayTakesNothingAway) {
  vpmu_set_privileged(1);
  ASSERT_TRUE(Open());
  collector_->DefinePath(1, 0, "a");
  const auto work = [](uint64_t n) {
    vpmu_retire(0, kScalarDouble, n);
    vpmu_device(0, "uncore_imc_0", 0x304, n);
  };
  for (uint64_t i = 0; i < 3; ++i) {
    collector_->EnterTeam(1);
    work(10);
    Sums so_far;
    const std::vector<OfferedMetric> later = collector_->HarvestSoFar(so_far);
    EXPECT_EQ(so_far.Total(1, kDpScalar), 20u * i + 10) << "with the region that is open";
    EXPECT_TRUE(so_far.shared.empty());
    EXPECT_TRUE(std::any_of(later.begin(), later.end(), [](const OfferedMetric& offer) {
      return offer.metric == metric::kPackageDramReadBytes && !HasValue(offer.status) &&
             !offer.reason.empty();
    }));
    work(10);
    collector_->EnterTeam(0);
  }
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDpScalar), 60u);
  const auto& parts = sums.shared[{"a", metric::kPackageDramReadBytes}];
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].first.sum, 64u * 60);
}

// What the calling thread does meanwhile goes nowhere, whatever the others do.
TEST_F(CounterTraps, OwnWorkIsSetAside) {
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  vpmu_retire(0, kScalarDouble, 10);
  collector_->EnterOwn(0, /*measured=*/false);
  vpmu_retire(0, kScalarDouble, 1000);
  std::thread([] { vpmu_retire(0, kScalarDouble, 7); }).join();
  collector_->EnterOwn(0);
  vpmu_retire(0, kScalarDouble, 10);
  collector_->EnterTeam(0);
  EXPECT_EQ(Harvest().Total(1, kDpScalar), 27u);
}

TEST_F(CounterTraps, SampledVisitsAreMarkedAsScaled) {
  Settings settings;
  settings.visits = {VisitPolicy::Kind::kEvery, 4};
  const auto offered = Open(settings);
  ASSERT_TRUE(offered);
  for (const OfferedMetric& offer : *offered) {
    if (offer.metric == kDpScalar) {
      EXPECT_EQ(offer.status, Status::kScaled);
    }
  }
  for (int i = 0; i < 8; ++i) {
    collector_->EnterTeam(1, i % 4 == 0);
    vpmu_retire(0, kScalarDouble, 5);
    collector_->EnterTeam(0);
  }
  EXPECT_EQ(Harvest().Total(1, kDpScalar), 10u) << "of the two visits that were measured";
}

}  // namespace
}  // namespace roofmark::perf_test
