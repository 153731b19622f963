// SPDX-License-Identifier: BSD-3-Clause
//
// One arithmetic instruction each, as PTX, so that no compiler merges or fuses them. All operands
// come from the host: what is known to the compiler it would compute.
#pragma once

#include "arguments.h"

namespace roofmark::gpu {

// Threads that ended, and threads whose result is not what it must be.
__device__ inline void Judge(const Arguments& of, bool wrong) {
  auto* verdict = reinterpret_cast<unsigned*>(of.verdict);
  if (wrong) atomicAdd(verdict, 1u);
  if (threadIdx.x == 0) atomicAdd(verdict + 1, 1u);
}

template <typename T>
__device__ inline T FromBits(uint64_t bits);
template <>
__device__ inline double FromBits(uint64_t bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
template <>
__device__ inline float FromBits(uint64_t bits) {
  return __uint_as_float(static_cast<unsigned>(bits));
}
template <>
__device__ inline unsigned FromBits(uint64_t bits) {
  return static_cast<unsigned>(bits);
}
__device__ inline bool Differ(double a, double b) { return a != b; }
__device__ inline bool Differ(float a, float b) { return a != b; }
__device__ inline bool Differ(unsigned a, unsigned b) { return a != b; }

#define ROOFMARK_STEP(Name, Type, letter, text)                  \
  struct Name {                                                  \
    using T = Type;                                              \
    static __device__ void Do(T& v, T x, T y) {                  \
      asm volatile(text : "+" letter(v) : letter(x), letter(y)); \
    }                                                            \
  };
ROOFMARK_STEP(DpFma, double, "d", "fma.rn.f64 %0, %0, %1, %2;")
ROOFMARK_STEP(DpAdd, double, "d", "add.rn.f64 %0, %0, %1;")
ROOFMARK_STEP(DpMul, double, "d", "mul.rn.f64 %0, %0, %1;")
ROOFMARK_STEP(DpMulAdd, double, "d", "mul.rn.f64 %0, %0, %1;\n\tadd.rn.f64 %0, %0, %2;")
ROOFMARK_STEP(DpDiv, double, "d", "div.rn.f64 %0, %1, %0;")
ROOFMARK_STEP(DpSqrt, double, "d", "sqrt.rn.f64 %0, %0;")
ROOFMARK_STEP(SpFma, float, "f", "fma.rn.f32 %0, %0, %1, %2;")
ROOFMARK_STEP(SpAdd, float, "f", "add.rn.f32 %0, %0, %1;")
ROOFMARK_STEP(SpMul, float, "f", "mul.rn.f32 %0, %0, %1;")
ROOFMARK_STEP(SpMulAdd, float, "f", "mul.rn.f32 %0, %0, %1;\n\tadd.rn.f32 %0, %0, %2;")
ROOFMARK_STEP(SpDiv, float, "f", "div.rn.f32 %0, %1, %0;")
ROOFMARK_STEP(SpSqrt, float, "f", "sqrt.rn.f32 %0, %0;")
// Two numbers in each register.
ROOFMARK_STEP(HpFma, unsigned, "r", "fma.rn.f16x2 %0, %0, %1, %2;")
ROOFMARK_STEP(HpAdd, unsigned, "r", "add.rn.f16x2 %0, %0, %1;")
ROOFMARK_STEP(HpMul, unsigned, "r", "mul.rn.f16x2 %0, %0, %1;")
ROOFMARK_STEP(HpMulAdd, unsigned, "r", "mul.rn.f16x2 %0, %0, %1;\n\tadd.rn.f16x2 %0, %0, %2;")
ROOFMARK_STEP(BfFma, unsigned, "r", "fma.rn.bf16x2 %0, %0, %1, %2;")
#if __CUDA_ARCH__ >= 900
ROOFMARK_STEP(BfMulAdd, unsigned, "r", "mul.rn.bf16x2 %0, %0, %1;\n\tadd.rn.bf16x2 %0, %0, %2;")
#endif
ROOFMARK_STEP(IntMad, unsigned, "r", "mad.lo.u32 %0, %0, %1, %2;")
// Of two additions, or two logical operations, the assembler makes one.
ROOFMARK_STEP(IntAddXor, unsigned, "r", "add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %2;")
#undef ROOFMARK_STEP

// As each thread has it: `count` is 0, which no compiler knows. What all threads of a warp have
// alike, compilers for compute capability 9.0 and newer leave to a unit that does it once a warp.
__device__ inline uint64_t OwnStart(const Arguments& of) {
  return of.start | (threadIdx.x & of.count);
}

// `chains` numbers that do not depend on each other, and what their steps take.
template <typename Step, int chains>
class Chains {
 public:
  __device__ __forceinline__ explicit Chains(const Arguments& of)
      : start_(FromBits<T>(OwnStart(of))), x_(FromBits<T>(of.x)), y_(FromBits<T>(of.y)) {
#pragma unroll
    for (int i = 0; i < chains; ++i) values_[i] = start_;
  }
  // Each number `rounds` times.
  template <int rounds>
  __device__ __forceinline__ void Do() {
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
      for (int i = 0; i < chains; ++i) Step::Do(values_[i], x_, y_);
    }
  }
  // Every step maps the start value to itself.
  __device__ __forceinline__ bool AreWrong() const {
    bool wrong = false;
#pragma unroll
    for (int i = 0; i < chains; ++i) wrong |= Differ(values_[i], start_);
    return wrong;
  }

 private:
  using T = typename Step::T;
  const T start_, x_, y_;
  T values_[chains];
};

template <typename Step, int chains, int rounds>
__device__ void Compute(const Arguments& of) {
  Chains<Step, chains> numbers(of);
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) numbers.template Do<rounds>();
  Judge(of, numbers.AreWrong());
}

// The lanes of a warp go `option` ways, one after the other.
template <typename Step, int chains, int rounds>
__device__ void Diverge(const Arguments& of) {
  Chains<Step, chains> numbers(of);
  const unsigned own = threadIdx.x % of.option;
#pragma unroll 1
  for (unsigned at = 0; at < of.iterations; ++at) {
#pragma unroll 1
    for (unsigned way = 0; way < of.option; ++way) {
      if (way == own) numbers.template Do<rounds>();
    }
  }
  Judge(of, numbers.AreWrong());
}

}  // namespace roofmark::gpu
