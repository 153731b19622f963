// SPDX-License-Identifier: BSD-3-Clause
//
// The DRAM ladder's streams: a stride that skips lines, and unit stride helped by software
// prefetch. Compiled once per instruction set by Highway's foreach_target.
#include "benchmarks/machine/memory_kernels.h"

// SSSE3 adds nothing to SSE4 here, which every CPU of the last 15 years has.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine/ladder_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace roofmark {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
// No wider than a line, so that a line is a whole number of vectors.
using Tag = hn::CappedTag<double, kLine>;
using V = hn::Vec<Tag>;

HWY_INLINE V AddLine(V sum, const double* line) {
  const Tag d;
  for (size_t i = 0; i < kLine; i += hn::Lanes(d)) sum = hn::Add(sum, hn::Load(d, line + i));
  return sum;
}

HWY_INLINE V AddLineAhead(V sum, const double* line, size_t ahead) {
  hwy::Prefetch(line + ahead);
  return AddLine(sum, line);
}

HWY_INLINE double SumOf(V s0, V s1, V s2, V s3) {
  return hn::GetLane(hn::SumOfLanes(Tag(), hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

HWY_NOINLINE double Strided(const double* HWY_RESTRICT b, size_t count) {
  auto s0 = hn::Zero(Tag()), s1 = s0, s2 = s0, s3 = s0;
  size_t i = 0;
  for (; i + 4 * kStride <= count; i += 4 * kStride) {
    s0 = AddLine(s0, b + i);
    s1 = AddLine(s1, b + i + kStride);
    s2 = AddLine(s2, b + i + 2 * kStride);
    s3 = AddLine(s3, b + i + 3 * kStride);
  }
  for (; i < count; i += kStride) s0 = AddLine(s0, b + i);
  return SumOf(s0, s1, s2, s3);
}

// Two lines of each quarter by turns.
HWY_NOINLINE double ReadAhead(const double* HWY_RESTRICT b, size_t count, size_t ahead) {
  const size_t quarter = count / 4;
  auto s0 = hn::Zero(Tag()), s1 = s0, s2 = s0, s3 = s0;
  for (size_t i = 0; i < quarter; i += 2 * kLine) {
    s0 = AddLineAhead(s0, b + i, ahead);
    s1 = AddLineAhead(s1, b + i + quarter, ahead);
    s2 = AddLineAhead(s2, b + i + 2 * quarter, ahead);
    s3 = AddLineAhead(s3, b + i + 3 * quarter, ahead);
    s0 = AddLineAhead(s0, b + i + kLine, ahead);
    s1 = AddLineAhead(s1, b + i + kLine + quarter, ahead);
    s2 = AddLineAhead(s2, b + i + kLine + 2 * quarter, ahead);
    s3 = AddLineAhead(s3, b + i + kLine + 3 * quarter, ahead);
  }
  return SumOf(s0, s1, s2, s3);
}

HWY_NOINLINE void TriadAhead(double* HWY_RESTRICT a, const double* HWY_RESTRICT b,
                             const double* HWY_RESTRICT c, size_t count, size_t ahead) {
  const Tag d;
  const auto three = hn::Set(d, 3.0);
  for (size_t i = 0; i < count; i += kLine) {
    hwy::Prefetch(a + i + ahead);
    hwy::Prefetch(b + i + ahead);
    hwy::Prefetch(c + i + ahead);
    for (size_t k = i; k < i + kLine; k += hn::Lanes(d)) {
      hn::Store(hn::MulAdd(three, hn::Load(d, c + k), hn::Load(d, b + k)), d, a + k);
    }
  }
}

double RunOnce(MemoryKernel kernel, const Arrays& arrays, size_t first, size_t count) {
  const size_t ahead = kernel.prefetch_bytes / sizeof(double);
  switch (kernel.kind) {
    case MemoryKind::kStrided:
      return Strided(arrays.b + first, count);
    case MemoryKind::kReadPrefetch:
      return ReadAhead(arrays.b + first, count, ahead);
    case MemoryKind::kTriadPrefetch:
      TriadAhead(arrays.a + first, arrays.b + first, arrays.c + first, count, ahead);
      break;
    default:  // not of the ladder
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

HWY_EXPORT(RunOnce);

double RunLadder(MemoryKernel kernel, const Arrays& arrays, size_t first, size_t count,
                 uint64_t passes) {
  double sum = 0;
  for (uint64_t pass = 0; pass < passes; ++pass) {
    asm volatile("" ::: "memory");  // no pass is merged with another
    sum += HWY_DYNAMIC_DISPATCH(RunOnce)(kernel, arrays, first, count);
  }
  return sum;
}

}  // namespace roofmark
#endif  // HWY_ONCE
