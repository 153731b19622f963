// SPDX-License-Identifier: BSD-3-Clause
//
// A thread record: one thread's open regions and accumulators. When a thread ends, its record is
// handed to the next new thread, so memory grows with the threads alive at once, not with all that
// were ever made.
#ifndef ROOFMARK_MARKERS_THREAD_RECORD_H_
#define ROOFMARK_MARKERS_THREAD_RECORD_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/spool/accumulator.h"
#include "lib/spool/writer.h"
#include "markers/kernel_watch.h"
#include "markers/path_table.h"
#include "markers/turns.h"

namespace roofmark::markers {

using spool::Accumulator;
using spool::DeclaredWork;
using spool::Totals;

// Why a visit was not recorded.
enum class Refusal {
  kPaths,    // there are kMaxPaths paths
  kNesting,  // kMaxNames names, one in another, or kMaxDepth frames
  kMemory,
};
inline constexpr size_t kRefusals = 3;

// Where a thread is. `path` is that of the innermost recorded region. `node` says more only where
// regions are chosen by their paths (Recorder::places()): there it is where the thread is among all
// regions, recorded or not. Elsewhere both are the same.
struct Place {
  uint32_t node = 0;
  uint32_t path = 0;

  bool operator==(const Place&) const = default;
};

// Trivial: the stack is mapped, zeroed and paged in as it grows.
struct Frame {
  Accumulator* accumulator;
  uint64_t start;
  Place place;
  uint32_t name;
  bool team;
  bool measured;
  bool watched;     // what the kernel does in it is looked at
  bool own;         // it, or one around it, is a path of the thread's own, not the team's
  uint32_t around;  // parent of the path; like `own` and `turn` not set where no collector is told
  Turn turn;        // where visits take turns

  // False for a region that is left out, or began while recording was paused: its path is that
  // around it.
  bool recorded() const { return accumulator != nullptr; }
};

// Whether regions of a name are left out wherever they are; unknown for one that was no region's.
enum class RegionsOf : uint8_t { kUnknown, kIn, kLeftOut };

// What a thread resolved last for a name at a given address.
struct KnownName {
  static constexpr size_t kText = 56;
  const char* address;
  uint32_t id;
  uint8_t length;
  RegionsOf regions;
  char text[kText];

  bool Is(std::string_view name) const {
    return address == name.data() && std::string_view(text, length) == name;
  }
  // `name` has at most kText bytes.
  void Set(std::string_view name, uint32_t name_id, RegionsOf of_name) {
    address = name.data();
    id = name_id;
    length = static_cast<uint8_t>(name.size());
    regions = of_name;
    name.copy(text, name.size());
  }
};

class ThreadRecord {
 public:
  static constexpr uint32_t kMaxDepth = 65535;  // 2.5 MiB of address space, touched as needed

  // nullptr if memory is short. What it accumulates lies in `spool`, as thread record `number`,
  // where that has room, else (or with nullptr) on the heap.
  static ThreadRecord* Create(bool is_main, spool::Writer* spool = nullptr, uint32_t number = 0);
  ~ThreadRecord();
  ThreadRecord(const ThreadRecord&) = delete;
  ThreadRecord& operator=(const ThreadRecord&) = delete;

  // Child look-ups of this thread: (place, name) -> place and accumulator. Direct-mapped; a miss
  // costs a lock.
  struct Lookup {
    Place parent = {kNoPath, kNoPath};
    uint32_t name = 0;
    uint32_t around = 0;  // parent of the path: another one if the name was found further out
    Place place;
    Accumulator* accumulator = nullptr;  // of a region that is left out: none
    bool is_long = false;                // its last visit was, so that the next one is watched

    bool Is(Place below, uint32_t wanted) const { return parent == below && name == wanted; }
  };
  Lookup& LookupFor(Place parent, uint32_t name) {
    return lookups[(parent.node * 0x9E3779B1u + name * 0x85EBCA77u) >> 26];
  }

  KnownName& KnownNameAt(const char* address) {
    const auto bits = reinterpret_cast<uintptr_t>(address);
    return known_names_[((bits >> 3) ^ (bits >> 9)) % kKnownNames];
  }

  // Allocated (zeroed) at first use; nullptr if memory is short.
  Accumulator* AccumulatorFor(uint32_t path);
  DeclaredWork* WorkFor(uint32_t path);
  // nullptr if this thread never was there.
  const Accumulator* FindAccumulator(uint32_t path) const;
  DeclaredWork* FindWork(uint32_t path) const;

  uint32_t depth() const { return static_cast<uint32_t>(top - frames); }
  bool is_full() const { return top == frames + kMaxDepth; }
  uint32_t number() const { return number_; }

  // Hot members first. frames[0] stands for the empty stack.
  Frame* top;
  Frame* const frames;
  const bool is_main;
  // Only time is recorded, for every visit: the fast path serves. Cleared by whoever stops or
  // pauses the recording.
  std::atomic<bool> simple{false};
  KernelWatch kernel;
  uint32_t pauses_seen = 0;  // of those that began, up to which open visits are marked
  uint32_t overflow = 0;     // begins not recorded and not yet ended: the first, and all within
  Refusal refused_because = Refusal::kMemory;  // of those
  pid_t unawaited = 0;  // number of its thread, if nothing tells when it ends
  Lookup lookups[64];
  ThreadRecord* next = nullptr;  // all records; set before publication
  bool in_use = true;            // guarded by the recorder

 private:
  ThreadRecord(bool is_main, Frame* frames, spool::Writer* spool, uint32_t number);

  static constexpr size_t kKnownNames = 32;
  static constexpr uint32_t kChunk = spool::kPathsPerBlock;
  static constexpr uint32_t kChunks = kMaxPaths / kChunk + 1;
  struct AccumulatorChunk {
    Accumulator accumulators[kChunk];
  };
  struct WorkChunk {
    DeclaredWork works[kChunk];
  };
  template <typename Chunk, size_t N>
  Chunk* ChunkFor(std::atomic<Chunk*> (&chunks)[N], spool::Kind kind, uint32_t index);

  spool::Writer* const spool_;
  const uint32_t number_;
  KnownName known_names_[kKnownNames] = {};
  // Published with release: read by the thread that folds.
  std::atomic<AccumulatorChunk*> accumulator_chunks_[kChunks] = {};
  std::atomic<WorkChunk*> work_chunks_[kChunks] = {};
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_THREAD_RECORD_H_
