// SPDX-License-Identifier: BSD-3-Clause
//
// A Comm whose ranks are threads of this process, so that the reduction is tested without MPI. It
// counts what is sent.
#ifndef ROOFMARK_TESTS_MPI_THREAD_COMM_H_
#define ROOFMARK_TESTS_MPI_THREAD_COMM_H_

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

// What the ranks share.
class ThreadWorld {
 public:
  explicit ThreadWorld(uint32_t ranks) : ranks_(ranks), barrier_(ranks), pointers_(ranks) {}

  uint32_t ranks() const { return ranks_; }
  // Of one rank to another.
  uint64_t messages() const { return messages_; }
  uint64_t bytes() const { return bytes_; }

  // Runs `body` once per rank, each in its own thread.
  void Run(const std::function<void(Comm&)>& body);

 private:
  friend class ThreadComm;

  const uint32_t ranks_;
  std::barrier<> barrier_;
  std::vector<void*> pointers_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<char>>> mail_;
  std::atomic<uint64_t> messages_ = 0, bytes_ = 0;
};

class ThreadComm final : public Comm {
 public:
  ThreadComm(ThreadWorld& world, uint32_t rank) : world_(world), rank_(rank) {}

  uint32_t Rank() const override { return rank_; }
  uint32_t Size() const override { return world_.ranks(); }

  bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) override {
    Show(values.data());
    std::vector<uint64_t> result(values.begin(), values.end());
    for (uint32_t rank = 0; rank < Size(); ++rank) {
      if (rank == rank_) continue;
      for (size_t i = 0; i < result.size(); ++i) {
        result[i] = mpi::Apply(op, result[i], Shown<uint64_t>(rank)[i]);
      }
    }
    world_.barrier_.arrive_and_wait();
    std::copy(result.begin(), result.end(), values.begin());
    return true;
  }

  bool Bcast(void* data, size_t size) override {
    Show(data);
    if (rank_ != 0) std::memcpy(data, Shown<char>(0), size);
    world_.barrier_.arrive_and_wait();
    return true;
  }

  bool Send(uint32_t to, const void* data, size_t size) override {
    const char* bytes = static_cast<const char*>(data);
    {
      std::lock_guard lock(world_.mutex_);
      world_.mail_[{rank_, to}].emplace_back(bytes, bytes + size);
    }
    ++world_.messages_;
    world_.bytes_ += size;
    world_.arrived_.notify_all();
    return true;
  }

  bool Recv(uint32_t from, void* data, size_t size) override {
    std::unique_lock lock(world_.mutex_);
    auto& box = world_.mail_[{from, rank_}];
    world_.arrived_.wait(lock, [&box] { return !box.empty(); });
    const bool fits = box.front().size() == size;
    if (fits) std::memcpy(data, box.front().data(), size);
    box.pop_front();
    return fits;
  }

  bool Arrived(uint32_t from, bool& arrived) override {
    std::lock_guard lock(world_.mutex_);
    arrived = !world_.mail_[{from, rank_}].empty();
    return true;
  }

 private:
  // Lets the other ranks see `data` until the next barrier.
  void Show(void* data) {
    world_.pointers_[rank_] = data;
    world_.barrier_.arrive_and_wait();
  }
  template <typename T>
  const T* Shown(uint32_t rank) const {
    return static_cast<const T*>(world_.pointers_[rank]);
  }

  ThreadWorld& world_;
  const uint32_t rank_;
};

inline void ThreadWorld::Run(const std::function<void(Comm&)>& body) {
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < ranks_; ++rank) {
    threads.emplace_back([this, rank, &body] {
      ThreadComm comm(*this, rank);
      body(comm);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace roofmark::mpi

#endif  // ROOFMARK_TESTS_MPI_THREAD_COMM_H_
