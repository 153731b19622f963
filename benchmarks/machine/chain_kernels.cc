// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/chain_kernels.h"

#include <cmath>
#include <string_view>

namespace roofmark {
namespace {

#if defined(__x86_64__)
#define ROOF_FMA_TARGET __attribute__((target("fma")))
#define ROOF_FP_REGISTER "x"
bool HasFma() { return __builtin_cpu_supports("fma"); }
#else
#define ROOF_FMA_TARGET
#define ROOF_FP_REGISTER "w"
bool HasFma() { return true; }
#endif

constexpr uint64_t kUnrolled = 64;

// The compiler knows nothing of the value, so that it neither combines operations nor leaves any
// out.
inline void Hide(double& value) { asm volatile("" : "+" ROOF_FP_REGISTER(value)); }
inline void Hide(float& value) { asm volatile("" : "+" ROOF_FP_REGISTER(value)); }
inline void Hide(uint64_t& value) { asm volatile("" : "+r"(value)); }
inline void Hide(int64_t& value) { asm volatile("" : "+r"(value)); }

// Values that stay in range, and whose divisions take as long as most.
struct Add {
  static constexpr double kFirst = 0, kBy = 0;
  template <typename T>
  static T Next(T x, T) {
    return x + T{1};
  }
};
struct Multiply {
  static constexpr double kFirst = 1, kBy = 0;
  template <typename T>
  static T Next(T x, T) {
    return x * T(0.9999999);
  }
};
struct MultiplyAndAdd {
  static constexpr double kFirst = 1, kBy = 0.5;
  template <typename T>
  static T Next(T x, T by) {
    T product = x * by;
    Hide(product);
    return product + by;
  }
};
struct Divide {
  static constexpr double kFirst = 1.3, kBy = 1.7;
  template <typename T>
  static T Next(T x, T by) {
    return by / x;
  }
};
struct RootAndAdd {
  static constexpr double kFirst = 1.3, kBy = 1.7;
  template <typename T>
  static T Next(T x, T by) {
    return std::sqrt(x) + by;
  }
};
struct IntegerMultiply {
  static constexpr uint64_t kFirst = 3, kBy = 0x9E3779B97F4A7C15;
  static uint64_t Next(uint64_t x, uint64_t by) { return x * by; }
};
struct IntegerDivide {
  static constexpr uint64_t kFirst = 3037000499, kBy = 0x4000000000003039;
  static uint64_t Next(uint64_t x, uint64_t by) { return by / x; }
};
struct Convert {  // to single precision and back
  static constexpr double kFirst = 1.5, kBy = 0;
  static double Next(double x, double) {
    auto narrow = static_cast<float>(x);
    Hide(narrow);
    return static_cast<double>(narrow);
  }
};
struct ConvertGeneral {  // to a floating-point register and back
  static constexpr int64_t kFirst = 12345, kBy = 0;
  static int64_t Next(int64_t x, int64_t) {
    auto other = static_cast<double>(x);
    Hide(other);
    return static_cast<int64_t>(other);
  }
};

template <typename Operation, typename T>
double Run(uint64_t repeats) {
  T x = T(Operation::kFirst), by = T(Operation::kBy);
  Hide(by);
  for (uint64_t i = 0; i < repeats; ++i) {
#pragma GCC unroll 64
    for (uint64_t k = 0; k < kUnrolled; ++k) {
      x = Operation::Next(x, by);
      Hide(x);
    }
  }
  return static_cast<double>(x);
}

// The same without what makes it a measurement.
template <typename Operation, typename T>
double Expected(uint64_t repeats) {
  T x = T(Operation::kFirst);
  const T by = T(Operation::kBy);
  for (uint64_t i = 0; i < repeats * kUnrolled; ++i) x = Operation::Next(x, by);
  return static_cast<double>(x);
}

template <typename T>
ROOF_FMA_TARGET double RunFma(uint64_t repeats) {
  T x = 1, factor = T(0.9999999), term = T(0.0000001);
  Hide(factor);
  Hide(term);
  for (uint64_t i = 0; i < repeats; ++i) {
#pragma GCC unroll 64
    for (uint64_t k = 0; k < kUnrolled; ++k) {
      x = std::fma(x, factor, term);
      Hide(x);
    }
  }
  return static_cast<double>(x);
}
template <typename T>
double ExpectedFma(uint64_t repeats) {
  T x = 1;
  for (uint64_t i = 0; i < repeats * kUnrolled; ++i) x = std::fma(x, T(0.9999999), T(0.0000001));
  return static_cast<double>(x);
}

// Stores, loads what it stored, and adds.
template <typename T>
double RunMemory(uint64_t repeats) {
  volatile T x = 0;
  for (uint64_t i = 0; i < repeats; ++i) {
#pragma GCC unroll 64
    for (uint64_t k = 0; k < kUnrolled; ++k) x = x + T{1};
  }
  return static_cast<double>(x);
}
double ExpectedMemory(uint64_t repeats) { return static_cast<double>(repeats * kUnrolled); }

template <typename Operation, typename T>
CoreKernel Kernel(std::string_view name, std::string_view label, double per_link = 1) {
  return {name, label, per_link * static_cast<double>(kUnrolled), Run<Operation, T>,
          Expected<Operation, T>};
}

}  // namespace

std::vector<CoreKernel> ChainKernels() {
  constexpr double kLinks = kUnrolled;
  std::vector<CoreKernel> kernels = {
      Kernel<Add, double>("dp_add", "double additions, each waits for the last"),
      Kernel<Multiply, double>("dp_mul", "double multiplications in a chain"),
      Kernel<MultiplyAndAdd, double>("dp_mul_add", "double multiplications and adds in turns"),
      Kernel<Divide, double>("dp_div", "double divisions in a chain"),
      Kernel<RootAndAdd, double>("dp_sqrt_add", "double square roots and adds in a chain"),
      Kernel<Add, float>("sp_add", "single additions in a chain"),
      Kernel<Multiply, float>("sp_mul", "single multiplications in a chain"),
      Kernel<MultiplyAndAdd, float>("sp_mul_add", "single multiplications and adds in turns"),
      Kernel<Divide, float>("sp_div", "single divisions in a chain"),
      Kernel<RootAndAdd, float>("sp_sqrt_add", "single square roots and adds in a chain"),
      Kernel<Convert, double>("convert", "conversions of precision in a chain", 2),
      Kernel<ConvertGeneral, int64_t>("convert_general",
                                      "conversions between integers and doubles in a chain", 2),
      Kernel<IntegerMultiply, uint64_t>("int_mul", "integer multiplications in a chain"),
      Kernel<IntegerDivide, uint64_t>("int_div", "64-bit integer divisions in a chain"),
      {"memory_dp_add", "double additions through memory in a chain", kLinks, RunMemory<double>,
       ExpectedMemory},
      {"memory_int_add", "integer additions through memory in a chain", kLinks, RunMemory<uint64_t>,
       ExpectedMemory}};
  if (HasFma()) {
    kernels.push_back({"dp_fma", "double fused multiply-adds in a chain", kLinks, RunFma<double>,
                       ExpectedFma<double>});
    kernels.push_back({"sp_fma", "single fused multiply-adds in a chain", kLinks, RunFma<float>,
                       ExpectedFma<float>});
  }
  return kernels;
}

}  // namespace roofmark
