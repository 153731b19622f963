// SPDX-License-Identifier: BSD-3-Clause
//
// Start values and expected results of the memory kernels.
#include "benchmarks/machine/memory_kernels.h"
#include "lib/core/table.h"

namespace roofmark {
namespace {

// Small integers: sums, products and their contractions are exact.
double B(size_t i) { return static_cast<double>(i % 8 + 1); }
double C(size_t i) { return static_cast<double>(i % 16); }

// By another route than the kernel's; exact in any order, since all values are small integers.
double PlainSum(MemoryKind kind, const double* values, size_t count) {
  const size_t stride = kind == MemoryKind::kStrided ? kStride : kLine;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += i % stride < kLine ? values[i] : 0;
  return sum;
}

constexpr MemoryKindInfo kInfos[] = {
    {MemoryKind::kRead, "read", "read", 1, 8, 1},
    {MemoryKind::kReadFour, "read", "read", 1, 8, 1},
    {MemoryKind::kReadTwo, "read", "read", 1, 8, 1},
    {MemoryKind::kReadEight, "read", "read", 1, 8, 1},
    {MemoryKind::kCopy, "copy", "copy", 2, 16, 24.0 / 16},
    {MemoryKind::kTriad, "triad", "triad", 3, 24, 32.0 / 24},
    {MemoryKind::kTriadNt, "triad_nt", "triad, non-temporal stores", 3, 24, 1},
    {MemoryKind::kStrided, "strided", "read, every fourth line", 1, 8.0 * kLine / kStride, 1},
    {MemoryKind::kReadPrefetch, "read_prefetch", "read, software prefetch", 1, 8, 1},
    {MemoryKind::kTriadPrefetch, "triad_prefetch", "triad, software prefetch", 3, 24, 32.0 / 24},
};
static_assert(InOrder(kInfos, MemoryKind::kTriadPrefetch));

}  // namespace

const MemoryKindInfo& GetInfo(MemoryKind kind) { return RowOf(kInfos, kind); }

bool Reads(MemoryKind kind) { return GetInfo(kind).arrays == 1; }

void FillArrays(const Arrays& arrays, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    arrays.b[i] = B(i);
    if (arrays.a != nullptr) arrays.a[i] = 0;
    if (arrays.c != nullptr) arrays.c[i] = C(i);
  }
}

bool CheckMemory(MemoryKind kind, const Arrays& arrays, size_t first, size_t count, uint64_t passes,
                 double sum) {
  if (Reads(kind)) {
    return sum == static_cast<double>(passes) * PlainSum(kind, arrays.b + first, count);
  }
  for (size_t i = first; i < first + count; ++i) {
    const double expected = kind == MemoryKind::kCopy ? B(i) : B(i) + 3 * C(i);
    if (!(arrays.a[i] == expected)) return false;
  }
  return true;
}

}  // namespace roofmark
