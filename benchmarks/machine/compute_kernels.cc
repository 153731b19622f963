// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled once per instruction set by Highway's foreach_target. Scalar operations are plain C++
// with a barrier after each, which keeps the compiler from packing neighbours into vectors.
#include "benchmarks/machine/compute_kernels.h"

#include "benchmarks/machine/compute_operands.h"

// SSSE3 adds nothing to SSE4 here, which every CPU of the last 15 years has.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine/compute_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace roofmark {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A tag for one number, beside Highway's tags for vectors.
template <class T>
struct ScalarTag {};

template <class T>
HWY_INLINE void Barrier(T& x) {
#if HWY_ARCH_X86
  asm volatile("" : "+v"(x));
#elif HWY_ARCH_ARM_A64
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+m"(x));
#endif
}

// A number that the compiler does not know.
HWY_INLINE double Unknown(double x) {
  asm volatile("" : "+m"(x));
  return x;
}

template <class T>
HWY_INLINE T Fill(ScalarTag<T>, double x) {
  return static_cast<T>(Unknown(x));
}
template <class D>
HWY_INLINE auto Fill(D d, double x) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(Unknown(x)));
}
template <class T>
HWY_INLINE T Start(ScalarTag<T>, int chain) {
  return static_cast<T>(Unknown(operands::kLanesApart * chain + 1));
}
template <class D>
HWY_INLINE auto Start(D d, int chain) {
  return hn::Iota(d, static_cast<hn::TFromD<D>>(Unknown(operands::kLanesApart * chain + 1)));
}
template <class T>
HWY_INLINE size_t CountLanes(ScalarTag<T>) {
  return 1;
}
template <class D>
HWY_INLINE size_t CountLanes(D d) {
  return hn::Lanes(d);
}
template <class T>
HWY_INLINE void Keep(ScalarTag<T>, T x, int chain, double* results) {
  results[chain] = static_cast<double>(x);
}
template <class D, class V>
HWY_INLINE void Keep(D d, V x, int chain, double* results) {
  HWY_ALIGN hn::TFromD<D> lanes[ComputeKernel::kMostResults];
  hn::Store(x, d, lanes);
  const size_t count = hn::Lanes(d);
  for (size_t i = 0; i < count; ++i) results[chain * count + i] = static_cast<double>(lanes[i]);
}

template <class T>
using IfScalar = std::enable_if_t<std::is_floating_point_v<T>, T>;
template <class T>
using IfVector = std::enable_if_t<!std::is_floating_point_v<T>, T>;

// One step of a chain; `even` alternates. a, b and c are the kernel's operands.
struct AddStep {
  static constexpr double kFlops = 1;
  template <class T>
  static HWY_INLINE IfScalar<T> Do(T x, T, T, T c, bool) {
    x += c;
    Barrier(x);
    return x;
  }
  template <class V>
  static HWY_INLINE IfVector<V> Do(V x, V, V, V c, bool) {
    return hn::Add(x, c);
  }
};
struct MulStep {
  static constexpr double kFlops = 1;
  template <class T>
  static HWY_INLINE IfScalar<T> Do(T x, T a, T b, T, bool even) {
    x *= even ? a : b;
    Barrier(x);
    return x;
  }
  template <class V>
  static HWY_INLINE IfVector<V> Do(V x, V a, V b, V, bool even) {
    return hn::Mul(x, even ? a : b);
  }
};
struct FmaStep {
  static constexpr double kFlops = 2;
  static HWY_INLINE double Do(double x, double a, double, double c, bool) {
    x = __builtin_fma(x, a, c);
    Barrier(x);
    return x;
  }
  static HWY_INLINE float Do(float x, float a, float, float c, bool) {
    x = __builtin_fmaf(x, a, c);
    Barrier(x);
    return x;
  }
  template <class V>
  static HWY_INLINE IfVector<V> Do(V x, V a, V, V c, bool) {
    return hn::MulAdd(x, a, c);
  }
};
struct DivStep {
  static constexpr double kFlops = 1;
  template <class T>
  static HWY_INLINE IfScalar<T> Do(T x, T a, T, T, bool) {
    x = a / x;
    Barrier(x);
    return x;
  }
  template <class V>
  static HWY_INLINE IfVector<V> Do(V x, V a, V, V, bool) {
    return hn::Div(a, x);
  }
};
// The addition runs beside the root, on a unit that is idle: only the root counts.
struct SqrtStep {
  static constexpr double kFlops = 1;
  static HWY_INLINE double Do(double x, double a, double, double, bool) {
    x = __builtin_sqrt(x + a);
    Barrier(x);
    return x;
  }
  static HWY_INLINE float Do(float x, float a, float, float, bool) {
    x = __builtin_sqrtf(x + a);
    Barrier(x);
    return x;
  }
  template <class V>
  static HWY_INLINE IfVector<V> Do(V x, V a, V, V, bool) {
    return hn::Sqrt(hn::Add(x, a));
  }
};

// Variables rather than an array: vectors of unknown length cannot be in one. The order alternates
// between the operations of a mix, so that no scheduler fills with one of them.
#define ROOFMARK_CHAINS(X) \
  X(0) X(8) X(1) X(9) X(2) X(10) X(3) X(11) X(4) X(12) X(5) X(13) X(6) X(14) X(7) X(15)
#define ROOFMARK_START(i) [[maybe_unused]] auto v##i = Start(d, i);
#define ROOFMARK_STEP(i)                   \
  if constexpr (i < kFirst)                \
    v##i = First::Do(v##i, a, b, c, even); \
  else if constexpr (i < kFirst + kAdded)  \
    v##i = AddStep::Do(v##i, a, b, c, even);
#define ROOFMARK_KEEP(i) \
  if constexpr (i < kFirst + kAdded) Keep(d, v##i, i, results);

template <class D, ComputeKind kKind, class First, int kFirst, int kAdded>
HWY_NOINLINE void Run(uint64_t iterations, double* results) {
  const D d;
  constexpr bool kIsMul = kKind == ComputeKind::kMul || kKind == ComputeKind::kMulAdd;
  const auto a = Fill(d, kIsMul                        ? operands::kDouble
                         : kKind == ComputeKind::kDiv  ? operands::kNumerator
                         : kKind == ComputeKind::kSqrt ? operands::kUnderRoot
                                                       : operands::kFactor);
  const auto b = Fill(d, operands::kHalve);
  const auto c = Fill(d, operands::kAddend);
  ROOFMARK_CHAINS(ROOFMARK_START)
  for (uint64_t i = 0; i < iterations; ++i) {
    {
      constexpr bool even = true;
      ROOFMARK_CHAINS(ROOFMARK_STEP)
    }
    {
      constexpr bool even = false;
      ROOFMARK_CHAINS(ROOFMARK_STEP)
    }
  }
  ROOFMARK_CHAINS(ROOFMARK_KEEP)
}

template <ComputeKind kKind, class First, int kFirst, int kAdded, class D>
void Push(D d, Precision precision, Width width, std::vector<ComputeKernel>& kernels) {
  const size_t lanes = CountLanes(d);
  kernels.push_back({kKind, precision, width, static_cast<uint32_t>(lanes), kFirst, kAdded,
                     2 * static_cast<double>(lanes) * (kFirst * First::kFlops + kAdded),
                     &Run<D, kKind, First, kFirst, kAdded>});
}

// Enough chains to cover 5 cycles of latency on two pipes, few enough that an instruction set with
// 16 registers keeps them and the operands. Mixes are tried with two shapes, the better one counts.
template <class D>
void PushWidth(D d, Precision precision, Width width, std::vector<ComputeKernel>& kernels) {
  using enum ComputeKind;
  Push<kAdd, AddStep, 12, 0>(d, precision, width, kernels);
  Push<kMul, MulStep, 12, 0>(d, precision, width, kernels);
  Push<kMulAdd, MulStep, 6, 6>(d, precision, width, kernels);
  Push<kMulAdd, MulStep, 8, 8>(d, precision, width, kernels);
#if HWY_NATIVE_FMA
  Push<kFma, FmaStep, 12, 0>(d, precision, width, kernels);
  Push<kFmaAdd, FmaStep, 8, 4>(d, precision, width, kernels);
  Push<kFmaAdd, FmaStep, 8, 8>(d, precision, width, kernels);
#endif
  Push<kDiv, DivStep, 12, 0>(d, precision, width, kernels);
  Push<kSqrt, SqrtStep, 12, 0>(d, precision, width, kernels);
}

template <class T>
void PushPrecision(Precision precision, std::vector<ComputeKernel>& kernels) {
  Push<ComputeKind::kChain, AddStep, 1, 0>(ScalarTag<T>(), precision, Width::kScalar, kernels);
  PushWidth(ScalarTag<T>(), precision, Width::kScalar, kernels);
#if HWY_HAVE_SCALABLE
  const hn::ScalableTag<T> d;
  const size_t bytes = hn::Lanes(d) * sizeof(T);
  PushWidth(d, precision,
            bytes >= 64   ? Width::k512
            : bytes >= 32 ? Width::k256
                          : Width::k128,
            kernels);
#else
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  PushWidth(hn::FixedTag<T, 16 / sizeof(T)>(), precision, Width::k128, kernels);
#endif
#if HWY_MAX_BYTES >= 32
  PushWidth(hn::FixedTag<T, 32 / sizeof(T)>(), precision, Width::k256, kernels);
#endif
#if HWY_MAX_BYTES >= 64
  PushWidth(hn::FixedTag<T, 64 / sizeof(T)>(), precision, Width::k512, kernels);
#endif
#endif
}

void ListKernels(std::vector<ComputeKernel>& kernels) {
  PushPrecision<double>(Precision::kDouble, kernels);
  PushPrecision<float>(Precision::kSingle, kernels);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace roofmark
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace roofmark {

HWY_EXPORT(ListKernels);

std::vector<ComputeKernel> ComputeKernels() {
  std::vector<ComputeKernel> kernels;
  HWY_DYNAMIC_DISPATCH(ListKernels)(kernels);
  return kernels;
}

}  // namespace roofmark
#endif  // HWY_ONCE
