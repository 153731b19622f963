// SPDX-License-Identifier: BSD-3-Clause
//
// What the processes of a job on one node know together of their packages: who counts, which region
// is open since when, what its controllers have moved in it. A region that several ranks of a
// package are in is measured once, from the first one's entry to the last one's exit.
//
// One segment of shared memory per job and node (private memory for a process that no launcher
// started), of fixed size and allocated when it is made, so that a full /dev/shm is an error at
// start and not a signal later. Mutexes are robust: a process that is killed inside one makes the
// package's sums invalid and no process wait.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SEGMENT_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SEGMENT_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "collectors/hardware/threads/delta.h"
#include "lib/core/result.h"

namespace roofmark::package {

inline constexpr uint32_t kMostPackages = 16;    // of a node
inline constexpr uint32_t kMostMembers = 1024;   // processes of a job on a node
inline constexpr uint32_t kMostEntries = 1024;   // regions of a package
inline constexpr uint32_t kMostNameBytes = 480;  // of a path's full name, with its end

using threads::Sum;
using threads::Total;

// One region in one package. Guarded by the package's mutex but for `ready` and `too_short`.
struct Entry {
  std::atomic<uint32_t> ready;      // 1: name and hash are set
  std::atomic<uint32_t> too_short;  // its visits are shorter than reading the controllers is worth
  uint64_t hash;
  char name[kMostNameBytes];
  uint32_t inside;  // processes in it now
  uint32_t invalid;
  uint64_t intervals;
  uint64_t since_ns;    // of the open interval
  uint64_t changed_ns;  // when `inside` changed last
  uint64_t united_ns, shared_ns;
  // Last-level misses of the ranks that handed over theirs.
  uint32_t ranks, least_rank, most_rank;
  uint64_t misses, least_misses, most_misses;
  double squared_misses;
};

enum class Supply : uint32_t { kNobody, kOpening, kServing, kLeaving, kFailed };

// One package. Guarded by its mutex but for the atomics.
struct Package {
  pthread_mutex_t mutex;
  std::atomic<Supply> supply;
  char reason[400];  // of kFailed
  uint32_t number;   // the kernel's
  uint32_t members;  // processes that run on it
  // A process died inside the mutex, or could not get it: the records are not used.
  std::atomic<uint32_t> damaged;
  // The owner, asked to read for another process, did not answer in time: nobody asks again.
  std::atomic<uint32_t> silent;
  uint32_t inside;  // processes in any region
  // Outside of all regions.
  uint64_t idle_since_ns, idle_ns;
  uint32_t idle_invalid;
};

struct Member {
  std::atomic<int32_t> pid;  // 0: none
  std::atomic<uint32_t> done;
  uint32_t rank;
  uint32_t packages;  // bits
};

// ROOFMARK_SYNC=node: who has come to a boundary.
struct Barrier {
  std::atomic<uint32_t> arrived, generation, off;
};

struct Header {
  std::atomic<uint32_t> ready;
  int32_t maker;    // its process
  uint64_t number;  // no other segment of the job has it
  std::atomic<uint32_t> members;
  uint64_t layout;  // of what the makers agreed on: events, packages
  Barrier barrier;
  Package packages[kMostPackages];
  Member member[kMostMembers];
};

struct Place {
  std::string job;           // empty: this process alone
  uint32_t expected = 1;     // processes on this node; 0: unknown
  uint32_t packages = 1;     // of the node that are counted
  uint32_t events = 0;       // of a package
  uint64_t fingerprint = 0;  // of what is counted: the same in all processes
};

class Segment {
 public:
  // Errors are sentences with the cure.
  static Result<std::unique_ptr<Segment>> Attach(const Place& place);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  Header& header() { return *header_; }
  Package& package(uint32_t index) { return header_->packages[index]; }
  // The region's record, made if there is none yet; nullptr if there is no room.
  Entry* FindOrMake(uint32_t package, std::string_view name);
  Entry& entry(uint32_t package, uint32_t index);
  // `events` each.
  Total* Start(uint32_t package, const Entry* entry);
  Sum* Sums(uint32_t package, const Entry* entry);
  Total* IdleStart(uint32_t package);
  Sum* IdleSums(uint32_t package);
  // What any process read last.
  Total* Latest(uint32_t package);

  // Makes this process a member, or again the one that it was; its number, -1 if there are too
  // many.
  int Join(uint32_t rank, uint32_t packages);
  // In /dev/shm.
  static std::string FileOf(const std::string& job);
  // Nothing of the job's name remains once all are there.
  void ForgetName();
  const Place& place() const { return place_; }

 private:
  Segment(Place place, std::byte* base, size_t size);
  static size_t SizeOf(const Place& place);
  // Rows of a package: its entries, its idle time, what was read last.
  static constexpr size_t kRows = kMostEntries + 2;
  size_t IndexOf(uint32_t package, const Entry* entry) const;

  const Place place_;
  std::byte* const base_;
  const size_t size_;
  Header* const header_;
  Entry* entries_;
  Total* totals_;
  Sum* sums_;
};

// Holds a package's mutex; false if it cannot be had within a bounded time or without its maker.
class Hold {
 public:
  explicit Hold(Package& package) noexcept;
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  explicit operator bool() const { return held_; }

 private:
  Package& package_;
  bool held_;
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SEGMENT_H_
