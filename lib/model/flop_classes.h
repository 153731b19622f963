// SPDX-License-Identifier: BSD-3-Clause
//
// A path's floating-point operations as finely as its counters tell: the counting engine tells
// precision, width and kind; Intel's counters no kind; AMD's kinds alone; some nothing at all.
#ifndef ROOFMARK_LIB_MODEL_FLOP_CLASSES_H_
#define ROOFMARK_LIB_MODEL_FLOP_CLASSES_H_

#include <optional>
#include <vector>

#include "lib/core/metric.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct FlopClass {
  Precision precision = Precision::kDouble;  // double where all precisions are counted together
  std::optional<Width> width;                // empty: not told
  std::optional<FlopKind> kind;              // empty: not told
  double flops = 0;                          // > 0; a fused operation is two
};

// Elements of one precision in a register of that width.
double Lanes(Precision precision, Width width);

// The FLOP classes of a path that are not zero. bfloat16 has no classes and is left out.
std::vector<FlopClass> FlopClasses(const JobProfile& job, size_t path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_FLOP_CLASSES_H_
