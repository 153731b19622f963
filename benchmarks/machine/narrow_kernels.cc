// SPDX-License-Identifier: BSD-3-Clause
//
// Half precision and bfloat16, where the CPU computes in them. Intrinsics in functions compiled for
// a target of their own: the Highway releases that distributions carry (1.0) know these formats for
// storage only.
#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/compute_operands.h"

// Half precision on x86: GCC knows it from 12 on. clang 16 can compile it, but cannot ask whether
// the CPU has it.
#if defined(__x86_64__) && !defined(__clang__) && __GNUC__ >= 12
#define ROOFMARK_HALF_ON_X86 1
#else
#define ROOFMARK_HALF_ON_X86 0
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace roofmark {
namespace {

// Twelve chains, as the other kernels have. Each iteration applies the operation twice.
#define ROOFMARK_CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
[[maybe_unused]] constexpr uint32_t kChains = 12;

// Start values and results pass through memory, as numbers of type Lane.
template <class Lane>
[[maybe_unused]] void FillLanes(int chain, uint32_t count, Lane* lanes) {
  for (uint32_t i = 0; i < count; ++i) {
    lanes[i] = static_cast<Lane>(operands::kLanesApart * chain + 1 + static_cast<int>(i));
  }
  // Else GCC 12 knows them, computes what one iteration leaves, and leaves out the loop.
  __asm__ volatile("" : : "r"(lanes) : "memory");
}
template <class Lane>
[[maybe_unused]] void KeepLanes(int chain, uint32_t count, const Lane* lanes, double* results) {
  for (uint32_t i = 0; i < count; ++i) {
    results[static_cast<uint32_t>(chain) * count + i] = static_cast<double>(lanes[i]);
  }
}

#define ROOFMARK_START(i)      \
  FillLanes(i, kLanes, lanes); \
  auto v##i = ROOFMARK_LOAD(lanes);
#define ROOFMARK_EVEN(i) v##i = ROOFMARK_DO(v##i, even);
#define ROOFMARK_ODD(i) v##i = ROOFMARK_DO(v##i, odd);
#define ROOFMARK_KEEP(i)       \
  ROOFMARK_STORE(lanes, v##i); \
  KeepLanes(i, kLanes, lanes, results);
// A kernel called `Name` from ROOFMARK_LOAD, _STORE and _DO, which see the operands `a`, `even` and
// `odd` that the arguments initialise.
#define ROOFMARK_NARROW(Name, isa, Lane, lane_count, a_value, even_value, odd_value)       \
  __attribute__((noinline, target(isa))) void Name(uint64_t iterations, double* results) { \
    constexpr uint32_t kLanes = lane_count;                                                \
    alignas(64) Lane lanes[kLanes];                                                        \
    [[maybe_unused]] const auto a = a_value;                                               \
    const auto even = even_value, odd = odd_value;                                         \
    ROOFMARK_CHAINS(ROOFMARK_START)                                                        \
    for (uint64_t i = 0; i < iterations; ++i) {                                            \
      ROOFMARK_CHAINS(ROOFMARK_EVEN)                                                       \
      ROOFMARK_CHAINS(ROOFMARK_ODD)                                                        \
    }                                                                                      \
    ROOFMARK_CHAINS(ROOFMARK_KEEP)                                                         \
  }

[[maybe_unused]] ComputeKernel KernelOf(ComputeKind kind, Arithmetic arithmetic, Width width,
                                        uint32_t lanes, double flops_per_lane,
                                        void (*run)(uint64_t, double*)) {
  return {kind, arithmetic, width, lanes, kChains, 0, 2 * flops_per_lane * lanes * kChains, run};
}

#if defined(__x86_64__)

// The bit patterns of 1 and 0.5 in bfloat16: a pair of products adds one.
constexpr short kOneBf16 = 0x3f80, kHalfBf16 = 0x3f00;

#define ROOFMARK_DO(x, y) _mm512_dpbf16_ps(x, a, y)
#define ROOFMARK_LOAD _mm512_load_ps
#define ROOFMARK_STORE _mm512_store_ps
ROOFMARK_NARROW(RunBf16x512, "avx512bf16,avx512f", float, 16, (__m512bh)_mm512_set1_epi16(kOneBf16),
                (__m512bh)_mm512_set1_epi16(kHalfBf16), even)
#undef ROOFMARK_DO
#undef ROOFMARK_LOAD
#undef ROOFMARK_STORE

#define ROOFMARK_DO(x, y) _mm256_dpbf16_ps(x, a, y)
#define ROOFMARK_LOAD _mm256_load_ps
#define ROOFMARK_STORE _mm256_store_ps
ROOFMARK_NARROW(RunBf16x256, "avx512bf16,avx512vl", float, 8, (__m256bh)_mm256_set1_epi16(kOneBf16),
                (__m256bh)_mm256_set1_epi16(kHalfBf16), even)
#undef ROOFMARK_DO
#undef ROOFMARK_LOAD
#undef ROOFMARK_STORE

#if ROOFMARK_HALF_ON_X86

#define ROOFMARK_LOAD _mm512_load_ph
#define ROOFMARK_STORE _mm512_store_ph
#define ROOFMARK_DO(x, y) _mm512_add_ph(x, y)
ROOFMARK_NARROW(RunHalfAdd512, "avx512fp16", _Float16, 32, 0, _mm512_set1_ph(1), _mm512_set1_ph(-1))
#undef ROOFMARK_DO
#define ROOFMARK_DO(x, y) _mm512_fmadd_ph(x, a, y)
ROOFMARK_NARROW(RunHalfFma512, "avx512fp16", _Float16, 32, _mm512_set1_ph(1), _mm512_set1_ph(1),
                _mm512_set1_ph(-1))
#undef ROOFMARK_DO
#undef ROOFMARK_LOAD
#undef ROOFMARK_STORE

#define ROOFMARK_LOAD _mm256_load_ph
#define ROOFMARK_STORE _mm256_store_ph
#define ROOFMARK_DO(x, y) _mm256_add_ph(x, y)
ROOFMARK_NARROW(RunHalfAdd256, "avx512fp16,avx512vl", _Float16, 16, 0, _mm256_set1_ph(1),
                _mm256_set1_ph(-1))
#undef ROOFMARK_DO
#define ROOFMARK_DO(x, y) _mm256_fmadd_ph(x, a, y)
ROOFMARK_NARROW(RunHalfFma256, "avx512fp16,avx512vl", _Float16, 16, _mm256_set1_ph(1),
                _mm256_set1_ph(1), _mm256_set1_ph(-1))
#undef ROOFMARK_DO
#undef ROOFMARK_LOAD
#undef ROOFMARK_STORE

#endif  // ROOFMARK_HALF_ON_X86

#elif defined(__aarch64__)

#define ROOFMARK_LOAD vld1q_f16
#define ROOFMARK_STORE vst1q_f16
#define ROOFMARK_DO(x, y) vaddq_f16(x, y)
ROOFMARK_NARROW(RunHalfAdd128, "arch=armv8.2-a+fp16", __fp16, 8, 0, vdupq_n_f16(1), vdupq_n_f16(-1))
#undef ROOFMARK_DO
#define ROOFMARK_DO(x, y) vfmaq_f16(y, x, a)
ROOFMARK_NARROW(RunHalfFma128, "arch=armv8.2-a+fp16", __fp16, 8, vdupq_n_f16(1), vdupq_n_f16(1),
                vdupq_n_f16(-1))
#undef ROOFMARK_DO
#undef ROOFMARK_LOAD
#undef ROOFMARK_STORE

#endif

}  // namespace

void AppendNarrowKernels([[maybe_unused]] std::vector<ComputeKernel>& kernels) {
  using enum ComputeKind;
#if defined(__x86_64__)
  // A product and an addition for each of the two pairs of a lane.
  constexpr double kDotFlops = 4;
  if (__builtin_cpu_supports("avx512bf16")) {
    kernels.push_back(
        KernelOf(kFma, Arithmetic::kBfloat16, Width::k256, 8, kDotFlops, RunBf16x256));
    kernels.push_back(
        KernelOf(kFma, Arithmetic::kBfloat16, Width::k512, 16, kDotFlops, RunBf16x512));
  }
#if ROOFMARK_HALF_ON_X86
  if (__builtin_cpu_supports("avx512fp16")) {
    kernels.push_back(KernelOf(kAdd, Arithmetic::kHalf, Width::k256, 16, 1, RunHalfAdd256));
    kernels.push_back(KernelOf(kFma, Arithmetic::kHalf, Width::k256, 16, 2, RunHalfFma256));
    kernels.push_back(KernelOf(kAdd, Arithmetic::kHalf, Width::k512, 32, 1, RunHalfAdd512));
    kernels.push_back(KernelOf(kFma, Arithmetic::kHalf, Width::k512, 32, 2, RunHalfFma512));
  }
#endif
#elif defined(__aarch64__)
  constexpr unsigned long kHwcapHalf = 1u << 10;  // HWCAP_ASIMDHP
  if ((getauxval(AT_HWCAP) & kHwcapHalf) != 0) {
    kernels.push_back(KernelOf(kAdd, Arithmetic::kHalf, Width::k128, 8, 1, RunHalfAdd128));
    kernels.push_back(KernelOf(kFma, Arithmetic::kHalf, Width::k128, 8, 2, RunHalfFma128));
  }
#endif
}

}  // namespace roofmark
