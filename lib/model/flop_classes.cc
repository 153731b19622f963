// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/flop_classes.h"

namespace roofmark {
namespace {

class ClassReader {
 public:
  ClassReader(const JobProfile& job, size_t path) : job_(job), path_(path) {}

  // True if anything is known at this fineness.
  bool ByClass(Precision precision) {
    bool any = false;
    for (size_t w = 0; w < kWidths; ++w) {
      for (size_t k = 0; k < kFlopKinds; ++k) {
        const auto width = static_cast<Width>(w);
        const auto kind = static_cast<FlopKind>(k);
        any |= Add(FlopMetric(precision, width, kind), precision, width, kind);
      }
    }
    return any;
  }

  bool ByWidth(Precision precision) {
    bool any = false;
    for (size_t w = 0; w < kWidths; ++w) {
      const auto width = static_cast<Width>(w);
      any |= Add(AnyKindFlops(precision, width), precision, width, std::nullopt);
    }
    return any;
  }

  void Whole(Precision precision) {
    Add(WholeFlops(static_cast<WholePrecision>(precision)), precision, std::nullopt, std::nullopt);
  }

  // Of all precisions together.
  bool Mixed() {
    bool any =
        Add(WholeFlops(WholePrecision::kMixed), Precision::kDouble, std::nullopt, std::nullopt);
    for (size_t k = 0; k < kFlopKinds && !any; ++k) {
      const auto kind = static_cast<FlopKind>(k);
      Add(MixedFlops(kind), Precision::kDouble, std::nullopt, kind);
    }
    return any || !classes_.empty();
  }

  std::vector<FlopClass> Take() { return std::move(classes_); }

 private:
  bool Add(MetricId metric, Precision precision, std::optional<Width> width,
           std::optional<FlopKind> kind) {
    const Cell& cell = job_.At(path_, metric);
    if (cell.ranks == 0 || !HasValue(Worst(cell.status_bits))) return false;
    const double flops = cell.SumAsDouble();
    if (flops > 0) classes_.push_back({precision, width, kind, flops});
    return true;
  }

  const JobProfile& job_;
  size_t path_;
  std::vector<FlopClass> classes_;
};

}  // namespace

double Lanes(Precision precision, Width width) {
  if (width == Width::kScalar) return 1;
  constexpr double kBits[kWidths] = {0, 128, 256, 512};
  constexpr double kElement[kPrecisions] = {64, 32, 16};
  return kBits[static_cast<size_t>(width)] / kElement[static_cast<size_t>(precision)];
}

std::vector<FlopClass> FlopClasses(const JobProfile& job, size_t path) {
  ClassReader reader(job, path);
  if (reader.Mixed()) return reader.Take();
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto precision = static_cast<Precision>(p);
    if (!reader.ByClass(precision) && !reader.ByWidth(precision)) reader.Whole(precision);
  }
  return reader.Take();
}

}  // namespace roofmark
