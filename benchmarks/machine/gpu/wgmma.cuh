// SPDX-License-Identifier: BSD-3-Clause
//
// Products of matrices by the asynchronous instructions of compute capability 9.0: a block of four
// warps multiplies 64 rows by 128 columns that lie in shared memory. A is all ones, of B there are
// two: all ones (plus) and all minus ones (minus), which take turns, so the accumulators go to and
// fro. Only the very last product of the first iteration is by plus instead of minus, so each of
// them ends at 1 + 2 k: that proves shape and type, whatever order shared memory has them in.
#pragma once

#include "steps.cuh"

namespace roofmark::gpu {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

inline constexpr unsigned kGroupRows = 64, kGroupColumns = 128, kOperandBytes = 32;  // of each row

// Eight rows of 16 bytes lie together, and the two of these that make the 32 bytes of eight rows
// (PTX ISA, matrix descriptors without swizzling; distances in units of 16 bytes).
__device__ inline uint64_t DescriptorOf(const void* shared) {
  constexpr uint64_t kAlongRow = 8, kToNextRows = 16;
  const auto address = static_cast<uint64_t>(__cvta_generic_to_shared(shared));
  return (address >> 4 & 0x3fff) | kAlongRow << 16 | kToNextRows << 32;
}

#define ROOFMARK_C4(letter, i) \
  "+" letter(c[i]), "+" letter(c[i + 1]), "+" letter(c[i + 2]), "+" letter(c[i + 3])
#define ROOFMARK_C16(letter, i)                                                   \
  ROOFMARK_C4(letter, i), ROOFMARK_C4(letter, i + 4), ROOFMARK_C4(letter, i + 8), \
      ROOFMARK_C4(letter, i + 12)
#define ROOFMARK_WGMMA(Name, Accumulator, letter, elements, shape, tail)                         \
  struct Name {                                                                                  \
    using C = Accumulator;                                                                       \
    static constexpr int kDepth = elements;                                                      \
    static __device__ __forceinline__ void Do(C (&c)[64], uint64_t a, uint64_t b) {              \
      asm volatile(                                                                              \
          "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %66, 0;\n\t"                                     \
          "wgmma.mma_async.sync.aligned." shape                                                  \
          " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22," \
          "%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43," \
          "%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "   \
          "%64, %65, p" tail ";\n\t}"                                                            \
          : ROOFMARK_C16(letter, 0), ROOFMARK_C16(letter, 16), ROOFMARK_C16(letter, 32),         \
            ROOFMARK_C16(letter, 48)                                                             \
          : "l"(a), "l"(b), "r"(1));                                                             \
    }                                                                                            \
  };
ROOFMARK_WGMMA(WgmmaHp, float, "f", 16, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
ROOFMARK_WGMMA(WgmmaBf16, float, "f", 16, "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0")
ROOFMARK_WGMMA(WgmmaTf32, float, "f", 8, "m64n128k8.f32.tf32.tf32", ", 1, 1")
ROOFMARK_WGMMA(WgmmaFp8, float, "f", 32, "m64n128k32.f32.e4m3.e4m3", ", 1, 1")
ROOFMARK_WGMMA(WgmmaInt8, int, "r", 32, "m64n128k32.s32.s8.s8", "")
#undef ROOFMARK_WGMMA
#undef ROOFMARK_C16
#undef ROOFMARK_C4

// start: four bytes of ones; x: of minus ones.
template <typename Wgmma, int products>
__device__ void MultiplyInShared(const Arguments& of) {
  constexpr unsigned kA = kGroupRows * kOperandBytes / 4, kB = kGroupColumns * kOperandBytes / 4;
  __shared__ alignas(128) unsigned a[kA], plus[kB], minus[kB];
  for (unsigned i = threadIdx.x; i < kB; i += blockDim.x) {
    if (i < kA) a[i] = FromBits<unsigned>(of.start);
    plus[i] = FromBits<unsigned>(of.start);
    minus[i] = FromBits<unsigned>(of.x);
  }
  // What threads wrote is read by the asynchronous instructions.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const uint64_t by_a = DescriptorOf(a), by_plus = DescriptorOf(plus),
                 by_minus = DescriptorOf(minus);
  typename Wgmma::C c[64];
#pragma unroll
  for (auto& number : c) number = 1;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
    const uint64_t by_last = at == 0 ? by_plus : by_minus;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int product = 0; product < products; ++product) {
      Wgmma::Do(c, by_a, product == products - 1 ? by_last : product % 2 == 0 ? by_plus : by_minus);
    }
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
  }
  bool wrong = false;
#pragma unroll
  for (const auto number : c) {
    wrong |= number != static_cast<typename Wgmma::C>(1 + 2 * Wgmma::kDepth);
  }
  Judge(of, wrong);
}

#endif

}  // namespace roofmark::gpu
