// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled once per instruction set by Highway's foreach_target.
#include "benchmarks/machine/compute_kernels.h"

// SSSE3 adds nothing to SSE4 here, which every CPU of the last 15 years has.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine/compute_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include <hwy/highway.h>

#include "benchmarks/machine/compute_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace roofmark {
namespace HWY_NAMESPACE {
namespace {

// Variables rather than an array: vectors of unknown length cannot be in one. The order alternates
// between the operations of a mix, so that no scheduler fills with one of them; there each step is
// pinned to its place, for compilers regroup them (54 instead of 64 GFLOP/s on Zen 5).
#define ROOFMARK_CHAINS(X) \
  X(0) X(8) X(1) X(9) X(2) X(10) X(3) X(11) X(4) X(12) X(5) X(13) X(6) X(14) X(7) X(15)
#define ROOFMARK_START(i) [[maybe_unused]] auto v##i = Start(d, i);
#define ROOFMARK_STEP(i)                     \
  if constexpr (i < kFirst)                  \
    v##i = First::Do(v##i, a, b, c, even);   \
  else if constexpr (i < kFirst + kAdded)    \
    v##i = AddStep::Do(v##i, a, b, c, even); \
  if constexpr (kAdded > 0 && i < kFirst + kAdded) Pin(v##i);
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
void Push(D d, Arithmetic arithmetic, Width width, std::vector<ComputeKernel>& kernels) {
  const size_t lanes = CountLanes(d);
  kernels.push_back({kKind, arithmetic, width, static_cast<uint32_t>(lanes), kFirst, kAdded,
                     2 * static_cast<double>(lanes) * (kFirst * First::kFlops + kAdded),
                     &Run<D, kKind, First, kFirst, kAdded>});
}

// Enough chains to cover 5 cycles of latency on two pipes, few enough that an instruction set with
// 16 registers keeps them and the operands. Mixes are tried with two shapes, the better one counts.
template <class D>
void PushWidth(D d, Arithmetic arithmetic, Width width, std::vector<ComputeKernel>& kernels) {
  using enum ComputeKind;
  Push<kAdd, AddStep, 12, 0>(d, arithmetic, width, kernels);
  Push<kMul, MulStep, 12, 0>(d, arithmetic, width, kernels);
  Push<kMulAdd, MulStep, 6, 6>(d, arithmetic, width, kernels);
  Push<kMulAdd, MulStep, 8, 8>(d, arithmetic, width, kernels);
#if HWY_NATIVE_FMA
  Push<kFma, FmaStep, 12, 0>(d, arithmetic, width, kernels);
  Push<kFmaAdd, FmaStep, 8, 4>(d, arithmetic, width, kernels);
  Push<kFmaAdd, FmaStep, 8, 8>(d, arithmetic, width, kernels);
#endif
  Push<kDiv, DivStep, 12, 0>(d, arithmetic, width, kernels);
  Push<kSqrt, SqrtStep, 12, 0>(d, arithmetic, width, kernels);
}

template <class T>
void PushPrecision(Arithmetic arithmetic, std::vector<ComputeKernel>& kernels) {
  Push<ComputeKind::kChain, AddStep, 1, 0>(ScalarTag<T>(), arithmetic, Width::kScalar, kernels);
  PushWidth(ScalarTag<T>(), arithmetic, Width::kScalar, kernels);
#if HWY_HAVE_SCALABLE
  const hn::ScalableTag<T> d;
  const size_t bytes = hn::Lanes(d) * sizeof(T);
  PushWidth(d, arithmetic,
            bytes >= 64   ? Width::k512
            : bytes >= 32 ? Width::k256
                          : Width::k128,
            kernels);
#else
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  PushWidth(hn::FixedTag<T, 16 / sizeof(T)>(), arithmetic, Width::k128, kernels);
#endif
#if HWY_MAX_BYTES >= 32
  PushWidth(hn::FixedTag<T, 32 / sizeof(T)>(), arithmetic, Width::k256, kernels);
#endif
#if HWY_MAX_BYTES >= 64
  PushWidth(hn::FixedTag<T, 64 / sizeof(T)>(), arithmetic, Width::k512, kernels);
#endif
#endif
}

void ListKernels(std::vector<ComputeKernel>& kernels) {
  PushPrecision<double>(Arithmetic::kDouble, kernels);
  PushPrecision<float>(Arithmetic::kSingle, kernels);
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
  AppendMixKernels(kernels);
  AppendNarrowKernels(kernels);
  return kernels;
}

}  // namespace roofmark
#endif  // HWY_ONCE
