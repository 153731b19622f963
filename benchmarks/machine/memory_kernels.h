// SPDX-License-Identifier: BSD-3-Clause
//
// Streams through memory at the CPU's full vector width, with results that have a closed form.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_MEMORY_KERNELS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_MEMORY_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace roofmark {

enum class MemoryKind : uint8_t {
  kRead,      // sum of b
  kReadFour,  // the same in four streams side by side: where memory comes in 4 KiB pages, one
              // stream stops the prefetchers at each page's end (18 instead of 42 GB/s in a virtual
              // machine)
  kReadTwo,   // in two streams, and in eight
  kReadEight,
  kCopy,     // a = b
  kTriad,    // a = b + 3 c
  kTriadNt,  // the same with non-temporal stores
  // The ladder of section A.1.2 of the 2008 roofline paper:
  kStrided,        // sum of every fourth line of b
  kReadPrefetch,   // as kReadFour, with software prefetch
  kTriadPrefetch,  // as kTriad, with software prefetch
};

// What runs: a kind, and how far ahead of its reads a prefetching one asks for lines.
struct MemoryKernel {
  MemoryKind kind = MemoryKind::kRead;
  uint32_t prefetch_bytes = 0;
};

struct MemoryKindInfo {
  MemoryKind id;
  std::string_view name;   // as in ceilings' ids
  std::string_view label;  // for people
  uint32_t arrays;
  double useful_bytes;  // per element, as the source says
  // Traffic / useful bytes where a stored line is read first: (useful + 8 per allocating store).
  double allocating_factor;
};
const MemoryKindInfo& GetInfo(MemoryKind kind);
bool Reads(MemoryKind kind);

// Elements are processed in blocks of this many; every length and offset is a multiple of it.
inline constexpr size_t kMemoryBlock = 64;

// Elements of a line, and of the distance from one line that kStrided reads to the next.
inline constexpr size_t kLine = 8, kStride = 4 * kLine;

// Arrays of one thread, each 64-byte aligned.
struct Arrays {
  double *a = nullptr, *b = nullptr, *c = nullptr;
};

// Writes the start values of the first `count` elements of the arrays that there are: b and c small
// integers, a zero.
void FillArrays(const Arrays& arrays, size_t count);

// `passes` over the elements [first, first + count). Returns the sum of what the
// reading kinds read, else 0. Any thread.
double RunMemory(MemoryKernel kernel, const Arrays& arrays, size_t first, size_t count,
                 uint64_t passes);
// The part of it that runs the ladder's kinds.
double RunLadder(MemoryKernel kernel, const Arrays& arrays, size_t first, size_t count,
                 uint64_t passes);

// Is `sum` what the reading kinds must return for that range and number of passes (the array may
// hold any small integers)? Do the elements of `a` hold what the kind writes?
bool CheckMemory(MemoryKind kind, const Arrays& arrays, size_t first, size_t count, uint64_t passes,
                 double sum);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_MEMORY_KERNELS_H_
