// SPDX-License-Identifier: BSD-3-Clause
//
// What kernels.cu is called with. Compiled for devices and for the host, which agree on the layout.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_ARGUMENTS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_ARGUMENTS_H_

#include <cstdint>

namespace roofmark::gpu {

// Every kernel has one parameter.
struct Arguments {
  uint64_t a, b, c;  // addresses on the device
  uint64_t verdict;  // of two uint32_t: threads with a wrong result, blocks that ended
  uint64_t count;    // of elements; what an element is, the kernel says
  uint64_t start;    // bits of a number that each step maps to itself; of a word of the arrays
  uint64_t x, y;     // bits of the other operands
  uint32_t iterations;
  uint32_t option;  // a stride, a number of ways
};
static_assert(sizeof(Arguments) == 72);

inline constexpr uint32_t kBlockThreads = 128;  // a warp for each scheduler of a multiprocessor
inline constexpr uint32_t kWarpThreads = 32;
inline constexpr uint32_t kSharedWords =
    8192;  // of 4 bytes: what the kernels of shared memory read
inline constexpr uint32_t kSectorBytes = 32;
inline constexpr uint32_t kChaseUnroll = 16;   // loads of one iteration
inline constexpr uint32_t kReadsUnrolled = 4;  // of 16 bytes
inline constexpr uint32_t kSharedUnroll = 8;
inline constexpr uint32_t kAtomicsUnrolled = 8;

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_ARGUMENTS_H_
