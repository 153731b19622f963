// SPDX-License-Identifier: BSD-3-Clause
//
// What one begin/end pair costs, beside two reads of the time-stamp counter in the same run.
// Run it as is for Google Benchmark's figures, once with no ROOFMARK variable (off) and once with
// ROOFMARK_COLLECTOR=timer; marker_ratios runs both in turn and prints ratios.
#include <benchmark/benchmark.h>
#include <roofmark/roofmark.h>

#include "lib/core/clock.h"

namespace {

void TwoTicks(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(roofmark::Ticks());
    benchmark::DoNotOptimize(roofmark::Ticks());
  }
}

void Pair(benchmark::State& state) {
  for (auto _ : state) {
    ROOF_REGION_BEGIN("pair");
    ROOF_REGION_END("pair");
  }
}

// The innermost of four open regions.
void PairAtDepth4(benchmark::State& state) {
  ROOF_REGION_BEGIN("one");
  ROOF_REGION_BEGIN("two");
  ROOF_REGION_BEGIN("three");
  for (auto _ : state) {
    ROOF_REGION_BEGIN("four");
    ROOF_REGION_END("four");
  }
  ROOF_REGION_END("three");
  ROOF_REGION_END("two");
  ROOF_REGION_END("one");
}

void NamedPair(benchmark::State& state) {
  for (auto _ : state) {
    roofmark_begin("named");
    roofmark_end("named");
  }
}

BENCHMARK(TwoTicks);
BENCHMARK(Pair);
BENCHMARK(PairAtDepth4);
BENCHMARK(NamedPair);
BENCHMARK(TwoTicks)->Threads(2);
BENCHMARK(Pair)->Threads(2);

}  // namespace

BENCHMARK_MAIN();
