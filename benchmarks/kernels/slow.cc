// SPDX-License-Identifier: BSD-3-Clause
//
// One loop nest done well and in the ways that a verdict must tell apart, each of them worse in one
// respect alone.
//
//   compute         fused multiply-adds on full vectors from the first-level cache, balanced
//   scalar          ... one lane of each vector
//   no-fma          ... products and sums as separate instructions
//   divides         ... and a division after every second step
//   one-thread      ... all of the rank's work by its first thread
//   one-rank        ... all of the job's work by its first rank
//   memory          a scaled copy with non-temporal stores
//   write-allocate  ... with ordinary stores
//   spread          64 rows of a matrix, visited eight times while their lines are cached
//   conflict        ... whose rows all fall into one set of every cache
//
// FLOPs and bytes at DRAM: compute 64 per element (and 16 divisions), none; memory 1 and 16 bytes,
// 24 with write-allocation; the matrix 16 and 8 bytes per element, 64 with conflicts.
#include <omp.h>

#include <cmath>
#include <roofmark/roofmark.hpp>

#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/raise.h"
#include "benchmarks/kernels/slow_compute.h"
#include "benchmarks/kernels/slow_memory.h"

namespace {

using namespace slow;

constexpr long kThousand = 1024;

enum Variant {
  kCompute,
  kScalar,
  kNoFma,
  kDivides,
  kOneThread,
  kOneRank,
  kMemory,
  kWriteAllocate,
  kSpread,
  kConflict
};

struct Work {
  double flops, bytes;  // of this rank, per iteration
};

double Point(int i) { return 0.25 + 0.5 * i / kBatch; }

double ExpectedValue(double x, bool divide) {
  long double value = x;
  for (int step = 0; step < kDegree; ++step) {
    value = value * x + kCoefficients[step];
    if (divide && step % kStepsPerDivision == kStepsPerDivision - 1) value = 1 / value;
  }
  return static_cast<double>(value);
}

// The polynomial: every thread has its own points and values.
class Polynomial {
 public:
  explicit Polynomial(const Kernel& kernel) : kernel_(kernel) {
    x_ = NewDoubles(kernel.threads * kBatch);
    y_ = NewDoubles(kernel.threads * kBatch);
#pragma omp parallel
    for (int i = 0; i < kBatch; ++i) {
      x_[Own() + i] = Point(i);
      y_[Own() + i] = 0;
    }
  }
  Work Run() {
    const auto evaluate = kernel_.variant == kScalar    ? EvaluateScalars
                          : kernel_.variant == kNoFma   ? EvaluateUnfused
                          : kernel_.variant == kDivides ? EvaluateDividing
                                                        : EvaluateVectors;
#pragma omp parallel
    for (long batch = Batches(omp_get_thread_num()); batch > 0; --batch) {
      evaluate(&x_[Own()], &y_[Own()]);
    }
    const int divisions = kernel_.variant == kDivides ? kDegree / kStepsPerDivision : 0;
    return {static_cast<double>(RankBatches()) * kBatch * (2 * kDegree + divisions), 0};
  }
  double LargestError() const {
    double error = kernel_.spoil ? 1 : 0;
    for (int t = 0; t < kernel_.threads; ++t) {
      for (int i = 0; Batches(t) > 0 && i < kBatch; ++i) {
        const double expected = ExpectedValue(Point(i), kernel_.variant == kDivides);
        Raise(error, std::fabs(y_[static_cast<long>(t) * kBatch + i] / expected - 1));
      }
    }
    return error;
  }

 private:
  static long Own() { return static_cast<long>(omp_get_thread_num()) * kBatch; }
  long RankBatches() const {
    if (kernel_.variant != kOneRank) return kernel_.n;
    return kernel_.rank == 0 ? kernel_.n * kernel_.ranks : 0;
  }
  long Batches(int thread) const {
    const long all = RankBatches(), threads = kernel_.threads;
    if (kernel_.variant == kOneThread) return thread == 0 ? all : 0;
    return all / threads + (thread < all % threads ? 1 : 0);
  }
  const Kernel& kernel_;
  Doubles x_, y_;
};

class ScaledCopy {
 public:
  explicit ScaledCopy(const Kernel& kernel)
      : stream_(kernel.variant == kMemory), spoil_(kernel.spoil), count_(kernel.n * kThousand) {
    from_ = NewDoubles(count_);
    to_ = NewDoubles(count_);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count_; ++i) {
      from_[i] = static_cast<double>(i % 1021);
      to_[i] = 0;
    }
  }
  Work Run() {
    (stream_ ? ScaleStreaming : ScaleAllocating)(from_.get(), to_.get(), count_);
    const double count = static_cast<double>(count_);
    return {count, (stream_ && ROOFMARK_HAS_STREAMING ? 16 : 24) * count};
  }
  double LargestError() const {
    double error = spoil_ ? 1 : 0;
    for (long i = 0; i < count_; ++i) {
      Raise(error, std::fabs(to_[i] - kFactor * static_cast<double>(i % 1021)));
    }
    return error;
  }

 private:
  bool stream_, spoil_;
  long count_;
  Doubles from_, to_;
};

class RevisitedMatrix {
 public:
  explicit RevisitedMatrix(const Kernel& kernel)
      : spread_(kernel.variant == kSpread),
        spoil_(kernel.spoil),
        columns_(kernel.n * kThousand / Matrix::kRows),
        matrix_(columns_, spread_),
        result_(NewDoubles(columns_)) {}
  Work Run() {
    matrix_.Visit(result_.get());
    const double elements = static_cast<double>(Matrix::kRows * columns_);
    return {2.0 * Matrix::kVisits * elements, 8 * (spread_ ? 1 : Matrix::kVisits) * elements};
  }
  double LargestError() const {
    double error = spoil_ ? 1 : 0;
    for (long c = 0; c < columns_; ++c) {
      Raise(error, std::fabs(result_[c] / Matrix::Expected(c) - 1));
    }
    return error;
  }

 private:
  bool spread_, spoil_;
  long columns_;
  Matrix matrix_;
  Doubles result_;
};

template <typename Nest>
int Measure(const Kernel& kernel) {
  Nest nest(kernel);
  Work work{};
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    ROOF_REGION_BEGIN("slow");
    work = nest.Run();
    ROOF_REGION_WORK(work.flops, work.bytes);
    ROOF_REGION_END("slow");
  }
  const double seconds = KernelStopClock(start), visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, work.flops * visits, work.bytes * visits, nest.LargestError(),
                   1e-12);
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"compute",    "scalar",   "no-fma", "divides",
                                          "one-thread", "one-rank", "memory", "write-allocate",
                                          "spread",     "conflict", nullptr};
  const KernelDoc doc = {"slow", "elements per rank, in units of 1024, or of the polynomial's 1008",
                         4096,   1,
                         5,      kVariants,
                         nullptr};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  if (kernel.variant >= kSpread) return Measure<RevisitedMatrix>(kernel);
  if (kernel.variant >= kMemory) return Measure<ScaledCopy>(kernel);
  return Measure<Polynomial>(kernel);
}
