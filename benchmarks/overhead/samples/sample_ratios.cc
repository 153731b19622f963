// SPDX-License-Identifier: BSD-3-Clause
//
// sample_ratios [ROUNDS]: executes sample_cost recorded without samples, with samples of perf_event
// and with samples of timers, in turn, and prints the median over rounds of its CPU time with
// samples divided by that without, beside the bar. Exits with 1 if a bar is missed.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchmarks/overhead/timing.h"

namespace {

using roofmark::overhead::Median;

// 0: it failed.
double RunOnce(const std::string& program, const char* what, const char* samples) {
  const std::string command = fmt::format(
      "env -u ROOFMARK ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_SPOOL=off "
      "ROOFMARK_OUTPUT=/dev/null ROOFMARK_SAMPLES={} {} {} 2>/dev/null",
      samples, program, what);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  double ns = 0;
  if (fscanf(pipe, "%lf", &ns) != 1) ns = 0;
  pclose(pipe);
  return ns;
}

struct Row {
  const char *label, *what, *samples;
  double bar;  // 0: no bar
};
constexpr Row kRows[] = {
    {"perf_event, 1 kHz", "work", "perf_event:1000", 1.02},
    {"timers, 1 kHz or the tick", "work", "timer:1000", 1.02},
    {"perf_event, 10 kHz", "work", "perf_event:10000", 0},
    {"threads, perf_event", "threads", "perf_event:1000", 0},
    {"threads, timers", "threads", "timer:1000", 0},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  std::string program = argv[0];
  program.replace(program.rfind("sample_ratios"), std::string::npos, "sample_cost");
  std::vector<std::vector<double>> ratios(std::size(kRows));
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < std::size(kRows); ++i) {
      const double without = RunOnce(program, kRows[i].what, "off");
      const double with = RunOnce(program, kRows[i].what, kRows[i].samples);
      if (without > 0 && with > 0) ratios[i].push_back(with / without);
    }
  }
  int missed = 0;
  fmt::print("{:<28} {:>18} {:>6}\n", "samples", "/ without samples", "bar");
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const double ratio = Median(ratios[i]);
    const bool met = !ratios[i].empty() && (kRows[i].bar == 0 || ratio <= kRows[i].bar);
    missed += !met;
    fmt::print("{:<28} {:>18.4f} {:>6} {}\n", kRows[i].label, ratio,
               kRows[i].bar == 0 ? "-" : fmt::format("{:.2f}", kRows[i].bar), met ? "" : "MISSED");
  }
  return missed == 0 ? 0 : 1;
}
