// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the compute kernels on numbers and on vectors of any instruction set, compiled once
// per set by the files that include this after foreach_target. Scalar operations are plain C++ with
// a barrier after each, which keeps the compiler from packing neighbours into vectors.
#if defined(ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_STEPS_INL_H_
#undef ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_STEPS_INL_H_
#else
#define ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_STEPS_INL_H_
#endif

#include <hwy/highway.h>

#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/compute_operands.h"

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

// The same for a vector: it stays where it stands among the instructions around it. Not for sets
// whose vectors are arrays in memory.
inline void Pin(double&) {}  // a scalar step has its barrier already
inline void Pin(float&) {}
template <class V>
HWY_INLINE void Pin([[maybe_unused]] V& x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#elif HWY_ARCH_X86
  asm volatile("" : "+v"(x.raw));
#elif HWY_HAVE_SCALABLE
  asm volatile("" : "+w"(x));
#elif HWY_ARCH_ARM_A64
  asm volatile("" : "+w"(x.raw));
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace roofmark
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
