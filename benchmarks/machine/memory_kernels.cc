// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled once per instruction set by Highway's foreach_target. Four vectors per step, so that the
// loop's own instructions do not show in L1.
#include "benchmarks/machine/memory_kernels.h"

// SSSE3 adds nothing to SSE4 here, which every CPU of the last 15 years has.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine/memory_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace roofmark {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;

// Between passes: what the compiler knows of memory is forgotten, so no pass is merged or dropped.
HWY_INLINE void ForgetMemory() { asm volatile("" ::: "memory"); }

// kStreams 1: eight vectors in a row. kStreams 4: two in a row of each quarter. At most eight.
template <size_t kStreams>
HWY_NOINLINE double Read(const double* HWY_RESTRICT b, size_t count, uint64_t passes) {
  const Tag d;
  const size_t lanes = hn::Lanes(d), length = count / kStreams;
  // Distance of vector k of a step from the step's first.
  const auto at = [=](size_t k) HWY_ATTR { return k % kStreams * length + k / kStreams * lanes; };
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (uint64_t pass = 0; pass < passes; ++pass) {
    ForgetMemory();
    for (size_t i = 0; i < length; i += 8 / kStreams * lanes) {
      s0 = hn::Add(s0, hn::Load(d, b + i + at(0)));
      s1 = hn::Add(s1, hn::Load(d, b + i + at(1)));
      s2 = hn::Add(s2, hn::Load(d, b + i + at(2)));
      s3 = hn::Add(s3, hn::Load(d, b + i + at(3)));
      s4 = hn::Add(s4, hn::Load(d, b + i + at(4)));
      s5 = hn::Add(s5, hn::Load(d, b + i + at(5)));
      s6 = hn::Add(s6, hn::Load(d, b + i + at(6)));
      s7 = hn::Add(s7, hn::Load(d, b + i + at(7)));
    }
  }
  s0 =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  return hn::GetLane(hn::SumOfLanes(d, s0));
}

HWY_NOINLINE void Copy(double* HWY_RESTRICT a, const double* HWY_RESTRICT b, size_t count,
                       uint64_t passes) {
  const Tag d;
  const size_t lanes = hn::Lanes(d);
  for (uint64_t pass = 0; pass < passes; ++pass) {
    ForgetMemory();
    for (size_t i = 0; i < count; i += 4 * lanes) {
      hn::Store(hn::Load(d, b + i), d, a + i);
      hn::Store(hn::Load(d, b + i + lanes), d, a + i + lanes);
      hn::Store(hn::Load(d, b + i + 2 * lanes), d, a + i + 2 * lanes);
      hn::Store(hn::Load(d, b + i + 3 * lanes), d, a + i + 3 * lanes);
    }
  }
}

template <bool kStream>
HWY_INLINE void TriadVector(double* HWY_RESTRICT a, const double* HWY_RESTRICT b,
                            const double* HWY_RESTRICT c) {
  const Tag d;
  const auto sum = hn::MulAdd(hn::Set(d, 3.0), hn::Load(d, c), hn::Load(d, b));
  if constexpr (kStream) {
    hn::Stream(sum, d, a);
  } else {
    hn::Store(sum, d, a);
  }
}

template <bool kStream>
HWY_NOINLINE void Triad(double* HWY_RESTRICT a, const double* HWY_RESTRICT b,
                        const double* HWY_RESTRICT c, size_t count, uint64_t passes) {
  const size_t lanes = hn::Lanes(Tag());
  for (uint64_t pass = 0; pass < passes; ++pass) {
    ForgetMemory();
    for (size_t i = 0; i < count; i += 4 * lanes) {
      TriadVector<kStream>(a + i, b + i, c + i);
      TriadVector<kStream>(a + i + lanes, b + i + lanes, c + i + lanes);
      TriadVector<kStream>(a + i + 2 * lanes, b + i + 2 * lanes, c + i + 2 * lanes);
      TriadVector<kStream>(a + i + 3 * lanes, b + i + 3 * lanes, c + i + 3 * lanes);
    }
  }
  // The stores are part of the time.
  if constexpr (kStream) hwy::FlushStream();
}

double RunKind(MemoryKind kind, const Arrays& arrays, size_t first, size_t count, uint64_t passes) {
  const auto from = [first](double* array) { return array == nullptr ? nullptr : array + first; };
  double* a = from(arrays.a);
  const double *b = from(arrays.b), *c = from(arrays.c);
  switch (kind) {
    case MemoryKind::kRead:
      return Read<1>(b, count, passes);
    case MemoryKind::kReadFour:
      return Read<4>(b, count, passes);
    case MemoryKind::kReadTwo:
      return Read<2>(b, count, passes);
    case MemoryKind::kReadEight:
      return Read<8>(b, count, passes);
    case MemoryKind::kCopy:
      Copy(a, b, count, passes);
      break;
    case MemoryKind::kTriad:
      Triad<false>(a, b, c, count, passes);
      break;
    case MemoryKind::kTriadNt:
      Triad<true>(a, b, c, count, passes);
      break;
    default:  // the ladder's kinds
      break;
  }
  return 0;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace roofmark
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace roofmark {

HWY_EXPORT(RunKind);

double RunMemory(MemoryKernel kernel, const Arrays& arrays, size_t first, size_t count,
                 uint64_t passes) {
  if (kernel.kind >= MemoryKind::kStrided) return RunLadder(kernel, arrays, first, count, passes);
  return HWY_DYNAMIC_DISPATCH(RunKind)(kernel.kind, arrays, first, count, passes);
}

}  // namespace roofmark
#endif  // HWY_ONCE
