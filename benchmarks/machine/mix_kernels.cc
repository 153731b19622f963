// SPDX-License-Identifier: BSD-3-Clause
//
// The instruction-mix ceilings of section A.1.4 of the 2008 roofline paper, measured: full in-core
// parallelism (the widest fused multiply-adds, or additions where none are fused), of which each is
// followed by others. Compiled once per instruction set by Highway's foreach_target.
#include "benchmarks/machine/compute_kernels.h"

// SSSE3 adds nothing to SSE4 here, which every CPU of the last 15 years has.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine/mix_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include <hwy/highway.h>

#include "benchmarks/machine/compute_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace roofmark {
namespace HWY_NAMESPACE {
namespace {

#if HWY_NATIVE_FMA
using MixStep = FmaStep;
constexpr ComputeKind kMixKind = ComputeKind::kFma;
#else
using MixStep = AddStep;
constexpr ComputeKind kMixKind = ComputeKind::kAdd;
#endif

// Every third of the other instructions is a load, which adding units leave to others; the
// additions take turns on six registers.
struct Others {
  uint64_t r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0;
};

// One instruction each, by name where it is known: compilers turn additions into moves and drop
// loads whose value is not used.
HWY_INLINE void AddTo(uint64_t& sum, uint64_t step) {
#if HWY_ARCH_X86
  asm volatile("add %1, %0" : "+r"(sum) : "r"(step) : "cc");
#elif HWY_ARCH_ARM_A64
  asm volatile("add %0, %0, %1" : "+r"(sum) : "r"(step));
#else
  sum += step;
  asm volatile("" : "+r"(sum));
#endif
}
HWY_INLINE void Load(const uint64_t* from) {
  uint64_t value;
#if HWY_ARCH_X86
  asm volatile("mov %1, %0" : "=r"(value) : "m"(*from));
#elif HWY_ARCH_ARM_A64
  asm volatile("ldr %0, %1" : "=r"(value) : "m"(*from));
#else
  value = *const_cast<const volatile uint64_t*>(from);
  asm volatile("" : "+r"(value));
#endif
}

// The instructions numbered [kFrom, kTo).
template <int kFrom, int kTo>
HWY_INLINE void DoOthers(Others& x, uint64_t step, const uint64_t* from) {
  if constexpr (kFrom < kTo) {
    constexpr int kWhich = kFrom % 9;
    if constexpr (kWhich % 3 == 2) Load(from);
    if constexpr (kWhich == 0) AddTo(x.r0, step);
    if constexpr (kWhich == 1) AddTo(x.r1, step);
    if constexpr (kWhich == 3) AddTo(x.r2, step);
    if constexpr (kWhich == 4) AddTo(x.r3, step);
    if constexpr (kWhich == 6) AddTo(x.r4, step);
    if constexpr (kWhich == 7) AddTo(x.r5, step);
    DoOthers<kFrom + 1, kTo>(x, step, from);
  }
}

constexpr int kMixChains = 12;
// What the loop itself executes in each iteration: count down and jump.
constexpr int kLoopInstructions = 2;

// Instructions left out after a step for the loop's own: at the end, as many as stand there.
template <int kFill>
constexpr int LeftOut(int step) {
  constexpr int kLast = kFill < kLoopInstructions ? kFill : kLoopInstructions;
  return step == kMixChains - 1 ? kLast : step == kMixChains - 2 ? kLoopInstructions - kLast : 0;
}

// One floating-point step and the others that follow it. Those of the second half's end are fewer
// by the loop's own instructions, so that the share is exact.
#define ROOFMARK_CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define ROOFMARK_START(i) auto v##i = Start(d, i);
#define ROOFMARK_STEP(i)                \
  v##i = MixStep::Do(v##i, a, a, c, k); \
  Pin(v##i);                            \
  DoOthers<(i)*kFill, ((i) + 1) * kFill - (k ? 0 : LeftOut<kFill>(i))>(x, step, &word);
#define ROOFMARK_KEEP(i) Keep(d, v##i, i, results);

template <class D, int kOneIn>
HWY_NOINLINE void RunMix(uint64_t iterations, double* results) {
  const D d;
  constexpr int kFill = kOneIn - 1;
  const auto a = Fill(d, operands::kFactor), c = Fill(d, operands::kAddend);
  uint64_t step = 1;
  asm volatile("" : "+r"(step));
  Others x;
  const uint64_t word = 1;
  ROOFMARK_CHAINS(ROOFMARK_START)
  for (uint64_t i = iterations; i != 0; --i) {
    {
      constexpr bool k = true;
      ROOFMARK_CHAINS(ROOFMARK_STEP)
    }
    {
      constexpr bool k = false;
      ROOFMARK_CHAINS(ROOFMARK_STEP)
    }
  }
  ROOFMARK_CHAINS(ROOFMARK_KEEP)
}

template <int kOneIn, class D>
void PushMix(D d, Arithmetic arithmetic, std::vector<ComputeKernel>& kernels) {
  const size_t lanes = CountLanes(d), bytes = lanes * sizeof(hn::TFromD<D>);
  const Width width = bytes >= 64 ? Width::k512 : bytes >= 32 ? Width::k256 : Width::k128;
  kernels.push_back({kMixKind, arithmetic, width, static_cast<uint32_t>(lanes), kMixChains, 0,
                     2 * static_cast<double>(lanes) * kMixChains * MixStep::kFlops,
                     &RunMix<D, kOneIn>, kOneIn});
}

template <class T>
void PushMixes(Arithmetic arithmetic, std::vector<ComputeKernel>& kernels) {
  const hn::ScalableTag<T> d;
  PushMix<2>(d, arithmetic, kernels);
  PushMix<4>(d, arithmetic, kernels);
  PushMix<8>(d, arithmetic, kernels);
  PushMix<16>(d, arithmetic, kernels);
}

void ListMixKernels(std::vector<ComputeKernel>& kernels) {
  PushMixes<double>(Arithmetic::kDouble, kernels);
  PushMixes<float>(Arithmetic::kSingle, kernels);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace roofmark
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace roofmark {

HWY_EXPORT(ListMixKernels);

void AppendMixKernels(std::vector<ComputeKernel>& kernels) {
  HWY_DYNAMIC_DISPATCH(ListMixKernels)(kernels);
}

}  // namespace roofmark
#endif  // HWY_ONCE
