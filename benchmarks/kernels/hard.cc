// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that neither arithmetic nor bandwidth limits, as real codes have them.
//
//   symgs       a symmetric Gauss-Seidel sweep: a chain of dependent operations
//   ddot        short dot products, each followed by MPI_Allreduce: waits
//   chase       each load gives the address of the next one: latency
//   gups        random words of a table are changed: as many misses as can be in flight
//   gather      random elements of a table are read: likewise
//   stream      the sum of one array: lines come from memory in one stream
//   streams     the same in four parts side by side: in four streams
//   unbalanced  rows of a triangle, as many for each thread: one thread has most elements
//
// All but ddot and unbalanced have data of their own for each thread.
#include <mpi.h>
#include <omp.h>

#include <cmath>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <vector>

#include "benchmarks/kernels/hard_memory.h"
#include "benchmarks/kernels/hard_streams.h"
#include "benchmarks/kernels/hard_symgs.h"
#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/raise.h"

namespace {

enum Variant { kSymgs, kDdot, kChase, kGups, kGather, kStream, kStreams, kUnbalanced };

// Of this rank, in an iteration.
struct Work {
  double flops, bytes;
  long operations;
};

// The same for each thread, side by side.
template <typename One>
class OfEachThread {
 public:
  template <typename Make>
  OfEachThread(const Kernel& kernel, Make make) : all_(static_cast<size_t>(kernel.threads)) {
#pragma omp parallel
    all_[Own()] = make(static_cast<uint64_t>(kernel.rank * kernel.threads) + Own());
  }
  void Run() {
#pragma omp parallel
    all_[Own()]->Run();
  }
  double Error() {
    double error = 0;
    for (auto& one : all_) Raise(error, one->Error());
    return error;
  }
  const One& First() const { return *all_[0]; }
  double Threads() const { return static_cast<double>(all_.size()); }

 private:
  static size_t Own() { return static_cast<size_t>(omp_get_thread_num()); }
  std::vector<std::unique_ptr<One>> all_;
};

class Sweeps : public OfEachThread<hard::Symgs> {
 public:
  explicit Sweeps(const Kernel& kernel)
      : OfEachThread(kernel, [&](uint64_t) { return std::make_unique<hard::Symgs>(kernel.n); }) {}
  Work WorkOfRun() const { return {Threads() * First().Flops(), Threads() * First().Bytes(), 0}; }
};

template <typename One, int flops, int bytes>
class Scattered : public OfEachThread<One> {
 public:
  explicit Scattered(const Kernel& kernel)
      : OfEachThread<One>(
            kernel, [&](uint64_t seed) { return std::make_unique<One>(kernel.n * 256, seed); }) {}
  Work WorkOfRun() const {
    const double accesses = this->Threads() * hard::kAccesses;
    return {flops * accesses, bytes * accesses, flops == 0 ? static_cast<long>(accesses) : 0};
  }
};

template <long parts>
class Sums : public OfEachThread<hard::Sum<parts>> {
 public:
  explicit Sums(const Kernel& kernel)
      : OfEachThread<hard::Sum<parts>>(
            kernel, [&](uint64_t) { return std::make_unique<hard::Sum<parts>>(kernel.n * 256); }) {}
  Work WorkOfRun() const {
    const double elements = this->Threads() * static_cast<double>(this->First().Elements());
    return {elements, 8 * elements, 0};
  }
};

class DotProducts {
 public:
  static constexpr long kProducts = 2000;

  explicit DotProducts(const Kernel& kernel) : kernel_(kernel) {
    for (long i = 0; i < kernel.n * 16; ++i) {
      x_.push_back(static_cast<double>(i % 7));
      y_.push_back(static_cast<double>(i % 5));
    }
  }
  void Run() {
    const long count = static_cast<long>(x_.size());
    for (long product = 0; product < kProducts; ++product) {
      const double *x = x_.data(), *y = y_.data();
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long i = 0; i < count; ++i) sum += x[i] * y[i];
      MPI_Allreduce(&sum, &sum_, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  double Error() const {
    long expected = 0;
    for (long i = 0; i < static_cast<long>(x_.size()); ++i) expected += i % 7 * (i % 5);
    return std::fabs(sum_ - static_cast<double>(expected * kernel_.ranks));
  }
  Work WorkOfRun() const {
    const double elements = static_cast<double>(kProducts) * static_cast<double>(x_.size());
    return {2 * elements, 16 * elements, 0};
  }

 private:
  const Kernel& kernel_;
  std::vector<double> x_, y_;
  double sum_ = 0;
};

class Triangle {
 public:
  explicit Triangle(const Kernel& kernel)
      : rows_(kernel.n * 16), x_(static_cast<size_t>(rows_), 0.5), y_(x_.size()) {}
  void Run() {
    const double* x = x_.data();
#pragma omp parallel for schedule(static)
    for (long row = 0; row < rows_; ++row) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long i = 0; i <= row; ++i) sum += x[i] * x[i];
      y_[static_cast<size_t>(row)] = sum;
    }
  }
  double Error() const {
    double error = 0;
    for (long row = 0; row < rows_; ++row) {
      Raise(error, std::fabs(y_[static_cast<size_t>(row)] - 0.25 * static_cast<double>(row + 1)));
    }
    return error;
  }
  Work WorkOfRun() const {
    const double rows = static_cast<double>(rows_), elements = rows * (rows + 1) / 2;
    return {2 * elements, 8 * elements, 0};
  }

 private:
  long rows_;
  std::vector<double> x_, y_;
};

template <typename Nest>
int Measure(const Kernel& kernel) {
  Nest nest(kernel);
  const Work work = nest.WorkOfRun();
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    ROOF_REGION_BEGIN("hard");
    nest.Run();
    if (work.operations > 0) ROOF_REGION_OPERATIONS("accesses", work.operations);
    ROOF_REGION_WORK(work.flops, work.bytes);
    ROOF_REGION_END("hard");
  }
  const double seconds = KernelStopClock(start), visits = static_cast<double>(kernel.iterations);
  const double error = kernel.spoil ? 1 : nest.Error();
  return KernelEnd(&kernel, seconds, work.flops * visits, work.bytes * visits, error, 1e-12);
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"symgs",  "ddot",    "chase",      "gups", "gather",
                                          "stream", "streams", "unbalanced", nullptr};
  const KernelDoc doc = {"hard",
                         "points per dimension, 16 elements or rows, or 256 lines of a table "
                         "(gups: a power of two)",
                         64,
                         1,
                         5,
                         kVariants,
                         nullptr};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  if (kernel.variant == kGups && (kernel.n & (kernel.n - 1)) != 0) {
    KernelRefuse(&kernel, "--n must be a power of two for gups");
  }
  switch (kernel.variant) {
    case kSymgs:
      return Measure<Sweeps>(kernel);
    case kDdot:
      return Measure<DotProducts>(kernel);
    case kChase:
      return Measure<Scattered<hard::Chase, 0, hard::kLine>>(kernel);
    case kGups:
      return Measure<Scattered<hard::Updates, 0, 2 * hard::kLine>>(kernel);
    case kGather:
      return Measure<Scattered<hard::Gather, 1, hard::kLine + 12>>(kernel);
    case kStream:
      return Measure<Sums<1>>(kernel);
    case kStreams:
      return Measure<Sums<4>>(kernel);
    default:
      return Measure<Triangle>(kernel);
  }
}
