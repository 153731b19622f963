// SPDX-License-Identifier: BSD-3-Clause
//
// The spool file, byte by byte: a header, then blocks that follow each other at multiples of 64
// bytes. What is written once carries a checksum; what changes (clocks, accumulators) lies twice,
// so that a reader finds a whole one however the process ended. Bytes are in the order of the
// machine.
#ifndef ROOFMARK_LIB_SPOOL_LAYOUT_H_
#define ROOFMARK_LIB_SPOOL_LAYOUT_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "lib/core/clock.h"
#include "lib/core/hash.h"
#include "lib/spool/identity.h"

namespace roofmark::spool {

inline constexpr char kMagic[16] = "roofmark-spool\n";
// Raised whenever an older reader would misunderstand.
inline constexpr uint32_t kVersion = 6;
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr uint64_t kAlign = 64;

struct alignas(kAlign) Header {
  char magic[16];
  uint32_t version;
  uint32_t header_bytes;
  uint32_t byte_order;
  uint32_t accumulator_bytes;
  Identity identity;
  ClockPair born;
  uint64_t ticks_are_ns;   // TicksAreNs() of the process
  uint64_t frozen_unix_s;  // when this copy was made; 0: the process's own
  uint64_t frozen_sum;     // of all from `end` on, in a copy
  uint64_t checksum;       // of all above

  // Up to here there are whole blocks.
  std::atomic<uint64_t> end;
  // 0, or: blocks beyond this place are in the process's private memory.
  std::atomic<uint64_t> private_from;
  // The clocks when the process last took a slow way; copies[sequence & 1] is whole.
  std::atomic<uint32_t> latest_sequence;
  ClockPair latest[2];

  uint64_t Checksum() const {
    return HashOf({reinterpret_cast<const char*>(this), offsetof(Header, checksum)});
  }
};

enum class Kind : uint32_t {
  kRun = 1,   // roofline JSON without paths: who, where, what is counted; the last one counts
  kPath = 2,  // a: path id
  kName = 3,  // a: name id, of a kind of operations
  kAccumulators = 4,  // a: thread record, b: first path; Accumulator[kPathsPerBlock]
  kWorks = 5,         // a: thread record, b: first path; DeclaredWork[kPathsPerBlock]
  kProfile = 6,       // roofline JSON of this process, whole, that could not be put elsewhere
  kCountPlan = 7,     // counts::EncodeKeptPlan
  kCounts = 8,        // a: number of columns, b: number of rows; rows of lib/counts/kept_row.h
  kCountsLack = 9,    // a: counts::Lack
};

inline constexpr uint32_t kBlockMagic = 0x4b424d52;  // "RMBK"

// Stands before each block's content.
struct alignas(kAlign) BlockHeader {
  uint32_t magic;
  Kind kind;
  uint64_t bytes;  // of the content, which is padded to kAlign
  uint32_t a, b;
  uint64_t content_sum;  // 0 for content that changes
  uint64_t checksum;     // of all above

  uint64_t Checksum() const {
    return HashOf({reinterpret_cast<const char*>(this), offsetof(BlockHeader, checksum)});
  }
};
static_assert(sizeof(BlockHeader) == kAlign);

constexpr uint64_t Padded(uint64_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

// Content of kPath; `name_bytes` of the region's name and `file_bytes` of its place follow.
struct PathRecord {
  uint32_t parent, name, kind, line, openmp_threads, name_bytes, file_bytes;
};

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_LAYOUT_H_
