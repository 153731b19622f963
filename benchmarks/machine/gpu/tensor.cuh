// SPDX-License-Identifier: BSD-3-Clause
//
// Products of small matrices on tensor cores, as warps execute them. A is all ones, B has as many
// ones as minus ones in each column (`x`: bits of its registers), so the accumulators stay as they
// are.
#pragma once

#include "steps.cuh"

namespace roofmark::gpu {

#define ROOFMARK_MMA_16X8(Name, Accumulator, letter, shape)                                 \
  struct Name {                                                                             \
    using C = Accumulator;                                                                  \
    static constexpr int kRegisters = 4;                                                    \
    static __device__ void Do(C* c, unsigned a, unsigned b0, unsigned b1) {                 \
      asm volatile("mma.sync.aligned." shape                                                \
                   " {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%6}, {%0,%1,%2,%3};"                 \
                   : "+" letter(c[0]), "+" letter(c[1]), "+" letter(c[2]), "+" letter(c[3]) \
                   : "r"(a), "r"(b0), "r"(b1));                                             \
    }                                                                                       \
  };
ROOFMARK_MMA_16X8(MmaHp, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
ROOFMARK_MMA_16X8(MmaBf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
ROOFMARK_MMA_16X8(MmaTf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
ROOFMARK_MMA_16X8(MmaInt8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32")
#if __CUDA_ARCH__ == 890
ROOFMARK_MMA_16X8(MmaFp8, float, "f", "m16n8k32.row.col.f32.e4m3.e4m3.f32")
#endif
#undef ROOFMARK_MMA_16X8

// start: bits of A's registers; x and y: those of B's.
template <typename Mma, int chains, int rounds>
__device__ void Multiply(const Arguments& of) {
  typename Mma::C c[chains][Mma::kRegisters];
#pragma unroll
  for (int i = 0; i < chains; ++i) {
#pragma unroll
    for (int k = 0; k < Mma::kRegisters; ++k) c[i][k] = static_cast<typename Mma::C>(i + 1);
  }
  const auto a = FromBits<unsigned>(of.start), x = FromBits<unsigned>(of.x),
             y = FromBits<unsigned>(of.y);
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
      for (int i = 0; i < chains; ++i) Mma::Do(c[i], a, x, y);
    }
  }
  bool wrong = false;
#pragma unroll
  for (int i = 0; i < chains; ++i) {
#pragma unroll
    for (int k = 0; k < Mma::kRegisters; ++k) {
      wrong |= c[i][k] != static_cast<typename Mma::C>(i + 1);
    }
  }
  Judge(of, wrong);
}

// In double precision, each lane has one number of B: every second row of it is negative.
template <int chains, int rounds>
__device__ void MultiplyDp(const Arguments& of) {
  double c[chains][2];
#pragma unroll
  for (int i = 0; i < chains; ++i) c[i][0] = c[i][1] = i + 1;
  const double a = FromBits<double>(of.start);
  const double b = FromBits<double>(threadIdx.x % 2 == 0 ? of.x : of.y);
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
      for (int i = 0; i < chains; ++i) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(c[i][0]), "+d"(c[i][1])
                     : "d"(a), "d"(b));
      }
    }
  }
  bool wrong = false;
#pragma unroll
  for (int i = 0; i < chains; ++i) wrong |= c[i][0] != i + 1 || c[i][1] != i + 1;
  Judge(of, wrong);
}

}  // namespace roofmark::gpu
