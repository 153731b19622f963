// SPDX-License-Identifier: BSD-3-Clause
//
// What one region of a kernel did in one job under the counting collector.
#ifndef ROOFMARK_TESTS_BENCHMARKS_KERNELS_COUNTED_H_
#define ROOFMARK_TESTS_BENCHMARKS_KERNELS_COUNTED_H_

#include <gmock/gmock.h>

#include <iterator>
#include <string>
#include <vector>

#include "lib/model/work.h"
#include "tests/mpi/launchers.h"

namespace roofmark {

// MPI's own doings are nothing to what a kernel does. The last one is MPICH where it is: it begins
// in two thirds of the CPU time that Open MPI needs.
inline constexpr const test::Mpi& kCheapMpi = test::kMpis[std::size(test::kMpis) - 1];

// Most of what a job costs under Valgrind is the start of MPI: 2 s of CPU time, and a tenth of that
// under the native engine, which is not everywhere.
inline std::vector<std::string> AllEngines() {
#ifdef WITH_NATIVE
  return {"native", "valgrind"};
#else
  return {"valgrind"};
#endif
}
// Of counts that both engines give alike.
inline std::vector<std::string> Engines() { return test::SomeOf({AllEngines()[0]}, AllEngines()); }

struct Counted {
  double flops = 0, declared_flops = 0, declared_bytes = 0, dram_bytes = 0;
  double fma = 0, scalar = 0, divisions = 0, busiest_worker = 0;
  // DRAM intensity: of what was executed, of what the source says.
  double Intensity() const { return flops / dram_bytes; }
  double Canonical() const { return declared_flops / dram_bytes; }
};

inline Counted Collect(const JobProfile& job, size_t path) {
  const auto sum = [&](MetricId metric) { return MetricSum(job, path, metric).number.value_or(0); };
  Counted counted;
  counted.flops = TotalFlops(job, path).number.value_or(0);
  counted.dram_bytes = Traffic(job, path, MemoryLevel::kDram).number.value_or(0);
  counted.declared_flops = sum(metric::kDeclaredFlops);
  counted.declared_bytes = sum(metric::kDeclaredBytes);
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    for (size_t width = 0; width < kWidths; ++width) {
      const auto of = [&](FlopKind kind) {
        return sum(FlopMetric(precision, static_cast<Width>(width), kind));
      };
      counted.fma += of(FlopKind::kFma);
      counted.divisions += of(FlopKind::kDiv);
    }
    for (size_t kind = 0; kind < kFlopKinds; ++kind) {
      counted.scalar += sum(FlopMetric(precision, Width::kScalar, static_cast<FlopKind>(kind)));
    }
  }
  counted.busiest_worker = static_cast<double>(job.At(path, metric::kWorkerFlopsMax).max);
  return counted;
}

inline auto Within(double share, double value) {
  return ::testing::DoubleNear(value, share * value);
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_BENCHMARKS_KERNELS_COUNTED_H_
