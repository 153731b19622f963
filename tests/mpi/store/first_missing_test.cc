// SPDX-License-Identifier: BSD-3-Clause
//
// All that record come to the same answer, whoever does not, and nobody waits for ever.
#include "mpi/store/first_missing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace roofmark::mpi {
namespace {

// A job of threads; some ranks are not there.
class Job {
 public:
  explicit Job(std::vector<bool> there) : there_(std::move(there)), answers_(there_.size()) {}

  void Run() {
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < there_.size(); ++rank) {
      if (there_[rank]) threads.emplace_back([this, rank] { Ask(rank); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  const std::vector<std::optional<uint32_t>>& answers() const { return answers_; }
  size_t messages_left() const {
    size_t left = 0;
    for (const auto& [between, box] : mail_) left += box.size();
    return left;
  }
  size_t most_lookups() const { return most_lookups_; }

 private:
  class Member final : public Neighbours {
   public:
    Member(Job& job, uint32_t rank) : job_(job), rank_(rank) {}
    bool IsThere(uint32_t rank) override {
      ++lookups;
      return job_.there_.at(rank);
    }
    void Tell(uint32_t to, uint64_t value) override {
      EXPECT_TRUE(job_.there_.at(to)) << "told who never hears";
      const std::lock_guard lock(job_.mutex_);
      job_.mail_[{rank_, to}].push_back(value);
      job_.arrived_.notify_all();
    }
    uint64_t Hear(uint32_t from) override {
      EXPECT_TRUE(job_.there_.at(from)) << "waits for who never tells";
      std::unique_lock lock(job_.mutex_);
      auto& box = job_.mail_[{from, rank_}];
      job_.arrived_.wait(lock, [&] { return !box.empty(); });
      const uint64_t value = box.front();
      box.pop_front();
      return value;
    }
    size_t lookups = 0;

   private:
    Job& job_;
    const uint32_t rank_;
  };

  void Ask(uint32_t rank) {
    Member member(*this, rank);
    answers_[rank] = FirstMissing(member, rank, static_cast<uint32_t>(there_.size()));
    const std::lock_guard lock(mutex_);
    most_lookups_ = std::max(most_lookups_, member.lookups);
  }

  const std::vector<bool> there_;
  std::vector<std::optional<uint32_t>> answers_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<uint64_t>> mail_;
  size_t most_lookups_ = 0;
};

void ExpectAgreement(const std::vector<bool>& there) {
  Job job(there);
  job.Run();
  const bool all = std::find(there.begin(), there.end(), false) == there.end();
  for (uint32_t rank = 0; rank < there.size(); ++rank) {
    if (!there[rank]) continue;
    const auto& answer = job.answers()[rank];
    ASSERT_EQ(answer.has_value(), !all) << "rank " << rank << " of " << there.size();
    EXPECT_FALSE(answer && there.at(*answer)) << "that one is there";
  }
  EXPECT_EQ(job.messages_left(), 0u) << "the application could receive them";
}

TEST(FirstMissing, NobodyInJobsOfAllSizes) {
  for (size_t ranks = 1; ranks <= 33; ++ranks) ExpectAgreement(std::vector<bool>(ranks, true));
}

TEST(FirstMissing, AnySetOfRanksInSmallJobs) {
  for (size_t ranks = 1; ranks <= 7; ++ranks) {
    for (uint32_t set = 0; set < (1u << ranks); ++set) {
      std::vector<bool> there(ranks);
      for (size_t rank = 0; rank < ranks; ++rank) there[rank] = (set >> rank & 1) != 0;
      ExpectAgreement(there);
    }
  }
}

TEST(FirstMissing, RandomRanksInLargerJobs) {
  std::mt19937 random(15);
  for (int round = 0; round < 40; ++round) {
    std::vector<bool> there(50 + random() % 80, true);
    const size_t missing = 1 + random() % 20;
    for (size_t i = 0; i < missing; ++i) there[random() % there.size()] = false;
    ExpectAgreement(there);
  }
}

TEST(FirstMissing, NoRankLooksUpMoreThanTheLogarithm) {
  Job job(std::vector<bool>(256, true));
  job.Run();
  EXPECT_EQ(job.most_lookups(), 8u);
}

}  // namespace
}  // namespace roofmark::mpi
