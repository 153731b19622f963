// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of one process in which every member has a value.
#ifndef ROOFMARK_TESTS_LIB_SAMPLES_SOME_SAMPLES_H_
#define ROOFMARK_TESTS_LIB_SAMPLES_SOME_SAMPLES_H_

#include "lib/samples/samples.h"

namespace roofmark::test {

inline Samples SomeSamples(uint32_t rank = 0, uint32_t ranks = 1) {
  SampledProcess process;
  process.rank = rank;
  process.ranks = ranks;
  process.pid = 4711 + rank;
  process.host = "node1";
  process.start_time = "2026-11-24T15:00:00Z";
  process.command = {"./app", "-n", "1"};
  process.hz = 1000;
  process.wall_ns = 2'000'000'000;
  process.cpu_ns = 3'000'000'000;
  process.system_ns = 10'000'000;
  process.unknown = 1;
  process.why_not_perf_event = "the kernel forbids it";
  process.why_no_kernel = "a timer's signal comes later";
  process.warnings = {"a warning"};
  process.threads = {{0, SampleMethod::kPerfEvent, 1'000'000, 10, 20, 30, 2, 3},
                     {1, SampleMethod::kTimer, 4'000'000, 11, 21, 31, 0, std::nullopt}};
  process.other_threads = 2;
  process.own = {20, 1'000'000};
  process.counted = {{{"/opt/app", 16}, 12}, {{"/opt/app", 64}, std::nullopt}};
  process.why_not_counted = "a debugger is at work";
  process.mpi_calls = {{{{"/opt/app", 40}, {"/opt/app", 24}}, 3, 5'000'000},
                       {{{"/lib/x.so", 8}, {"/opt/app", 24}}, 1, 7'000},
                       {{}, 2, 9}};
  return {{process},
          {{"/opt/app",
            "0123456789abcdef",
            {{16, 20, 20'000'000, 5'000'000, 3'000'000}, {1 << 20, 7, 28'000'000, 0}}},
           {"[anonymous]", "", {{0, 30, 30'000'000}}}}};
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_SAMPLES_SOME_SAMPLES_H_
