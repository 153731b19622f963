// SPDX-License-Identifier: BSD-3-Clause
//
// construct_cost [ROUNDS]: what an empty parallel construct on LLVM's runtime takes with the
// adapter for OMPT and without it, in processes that take turns, beside a begin and an end of
// roofmark's own by name. Prints the medians over the rounds, and exits with 1 if the difference
// for one thread is above the bar.
#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>
#include <roofmark/roofmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "benchmarks/overhead/timing.h"
#include "lib/core/ompt_abi.h"

namespace {

using roofmark::overhead::NsOf;

constexpr double kBar = 1.3;  // over a marker plus one look-up of a name
constexpr int kConstructs = 20'000;

struct Costs {
  double pair = 0, one = 0, two = 0;  // by name; constructs of one thread and of two
};

// In a process of its own, which records. A second thread waits busily once it is there.
void Measure() {
  Costs costs;
  for (int i = 0; i < 2; ++i) {  // the first one prepares
    costs.pair = NsOf(kConstructs, [] {
      roofmark_begin("named");
      roofmark_end("named");
    });
    costs.one = NsOf(kConstructs, [] {
#pragma omp parallel num_threads(1)
      __asm__ volatile("");
    });
  }
  costs.two = NsOf(kConstructs / 20, [] {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
  });
  fmt::print("{} {} {}\n", costs.pair, costs.one, costs.two);
}

constexpr char kNothing[] = "DOES_NOTHING";

Costs Ask(const char* program, const char* settings) {
  const std::string command = fmt::format(
      "ROOFMARK_COLLECTOR=timer ROOFMARK_OUTPUT=/dev/null ROOFMARK_QUIET=1 {} '{}' --measure",
      settings, program);
  Costs costs;
  FILE* answer = popen(command.c_str(), "r");
  if (answer == nullptr ||
      std::fscanf(answer, "%lf %lf %lf", &costs.pair, &costs.one, &costs.two) != 3) {
    fmt::print(stderr, "construct_cost: {} gave no answer\n", command);
    std::exit(2);
  }
  pclose(answer);
  return costs;
}

Costs Least(const Costs& a, const Costs& b) {
  return {std::min(a.pair, b.pair), std::min(a.one, b.one), std::min(a.two, b.two)};
}

struct Row {
  const char* what;
  std::string settings;
  Costs least = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
};

namespace ompt = roofmark::ompt;

void OnBegin(ompt::Data*, const void*, ompt::Data*, unsigned, int, const void*) {}
void OnEnd(ompt::Data*, ompt::Data*, int, const void*) {}
int Initialise(ompt::Lookup lookup, int, ompt::Data*) {
  const auto set = reinterpret_cast<ompt::SetCallback>(lookup("ompt_set_callback"));
  set(ompt::kParallelBegin, reinterpret_cast<ompt::Function>(&OnBegin));
  set(ompt::kParallelEnd, reinterpret_cast<ompt::Function>(&OnEnd));
  return 1;
}
void Finalise(ompt::Data*) {}

}  // namespace

// The tool that does nothing, where it is wanted; else the library of adapters is asked.
extern "C" __attribute__((visibility("default"))) ompt::StartTool* ompt_start_tool(
    unsigned version, const char* runtime) {
  static ompt::StartTool tool = {&Initialise, &Finalise, {0}};
  if (std::getenv(kNothing) != nullptr) return &tool;
  const auto next = reinterpret_cast<ompt::Start>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  return next == nullptr ? nullptr : next(version, runtime);
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--measure") {
    Measure();
    return 0;
  }
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 31;
  Row rows[] = {{"without a tool", "ROOFMARK_ADAPTERS=itt"},
                {"a tool that does nothing", fmt::format("ROOFMARK_ADAPTERS=itt {}=1", kNothing)},
                {"the adapter", "ROOFMARK_ADAPTERS=ompt"}};
  for (int round = 0; round < rounds; ++round) {
    for (Row& row : rows) row.least = Least(row.least, Ask(argv[0], row.settings.c_str()));
  }
  fmt::print("{:<26} {:>12} {:>12} {:>18}\n", "ns", "one thread", "two threads",
             "roofmark, by name");
  for (const Row& row : rows) {
    fmt::print("{:<26} {:>12.2f} {:>12.2f} {:>18.2f}\n", row.what, row.least.one, row.least.two,
               row.least.pair);
  }
  const double ratio = (rows[2].least.one - rows[1].least.one) / rows[2].least.pair;
  fmt::print(
      "added by the adapter to the tool that does nothing, one thread: {:.3f} by name, bar "
      "{:.2f} {}\n",
      ratio, kBar, ratio <= kBar ? "" : "MISSED");
  return ratio <= kBar ? 0 : 1;
}
