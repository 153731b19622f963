// SPDX-License-Identifier: BSD-3-Clause
//
// marker_ratios [ROUNDS]: runs marker_cost off, on, on without a spool, and with regions left out
// (ROOFMARK_REGIONS) in turn, and prints the median over rounds of each pair's cost divided by that
// of two time-stamp reads of the same run, and of the pair with a spool, or left out, divided by
// that without one, or off, beside its bar. Exits with 1 if a bar is missed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmarks/overhead/timing.h"

namespace {

using roofmark::overhead::Median;

using Times = std::map<std::string, double>;  // benchmark -> ns per iteration and thread

Times RunOnce(const std::string& program, const std::string& environment) {
  const std::string command = fmt::format(
      "env -u ROOFMARK -u ROOFMARK_COLLECTOR -u ROOFMARK_REGIONS -u ROOFMARK_SPOOL {} {} "
      "--benchmark_format=json "
      "--benchmark_min_time=0.1 2>/dev/null",
      environment, program);
  std::string text;
  std::array<char, 4096> buffer;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), got);
  pclose(pipe);
  Times times;
  const auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return {};
  for (const auto& benchmark : document["benchmarks"]) {
    // Google Benchmark divides real time by all threads' iterations; cpu_time is per thread.
    times[benchmark["name"]] = benchmark["cpu_time"];
  }
  return times;
}

// The regions of marker_cost are left out by their names, or by where they are.
enum Mode { kOff, kOn, kWithoutSpool, kOutByName, kOutByPath, kModes };

struct Row {
  const char* what;
  Mode mode;
  const char* name;
  Mode reference_mode;
  const char* reference;
  double bar;  // 0: no bar
};

constexpr Row kRows[] = {
    {"off", kOff, "Pair", kOff, "TwoTicks", 0.15},
    {"timer, depth 1", kOn, "Pair", kOn, "TwoTicks", 2.0},
    {"timer, depth 4", kOn, "PairAtDepth4", kOn, "TwoTicks", 2.0},
    {"timer, two threads", kOn, "Pair/threads:2", kOn, "TwoTicks/threads:2", 2.5},
    {"timer, dynamic name", kOn, "NamedPair", kOn, "TwoTicks", 0},
    {"spool, depth 1", kOn, "Pair", kWithoutSpool, "Pair", 1.1},
    {"spool, depth 4", kOn, "PairAtDepth4", kWithoutSpool, "PairAtDepth4", 1.1},
    {"spool, two threads", kOn, "Pair/threads:2", kWithoutSpool, "Pair/threads:2", 1.25},
    {"left out by name", kOutByName, "Pair", kOff, "Pair", 1.1},
    {"left out, dynamic name", kOutByName, "NamedPair", kOn, "NamedPair", 0.5},
    {"left out by path", kOutByPath, "PairAtDepth4", kOn, "PairAtDepth4", 1},
    {"chosen by path", kOutByPath, "Pair", kOn, "Pair", 1.1},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  std::string program = argv[0];
  program.replace(program.rfind("marker_ratios"), std::string::npos, "marker_cost");
  std::vector<std::vector<double>> ratios(std::size(kRows)), costs(std::size(kRows));
  for (int round = 0; round < rounds; ++round) {
    const std::string on = "ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=/dev/null";
    std::array<Times, kModes> run;
    run[kOff] = RunOnce(program, "");
    run[kOn] = RunOnce(program, on);
    run[kWithoutSpool] = RunOnce(program, on + " ROOFMARK_SPOOL=off");
    run[kOutByName] = RunOnce(program, on + " ROOFMARK_REGIONS=-pair,-named");
    run[kOutByPath] = RunOnce(program, on + " ROOFMARK_REGIONS=-three/four");
    for (size_t i = 0; i < std::size(kRows); ++i) {
      const Times& times = run[kRows[i].mode];
      const Times& references = run[kRows[i].reference_mode];
      if (times.count(kRows[i].name) == 0 || references.count(kRows[i].reference) == 0) continue;
      costs[i].push_back(times.at(kRows[i].name));
      ratios[i].push_back(times.at(kRows[i].name) / references.at(kRows[i].reference));
    }
  }
  int missed = 0;
  fmt::print("{:<22} {:>9} {:>22} {:>6}\n", "begin/end pair", "ns", "/ its reference", "bar");
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const double ratio = Median(ratios[i]);
    const bool met = !ratios[i].empty() && (kRows[i].bar == 0 || ratio <= kRows[i].bar);
    missed += !met;
    fmt::print("{:<22} {:>9.2f} {:>22.3f} {:>6} {}\n", kRows[i].what, Median(costs[i]), ratio,
               kRows[i].bar == 0 ? "-" : fmt::format("{:.2f}", kRows[i].bar), met ? "" : "MISSED");
  }
  return missed == 0 ? 0 : 1;
}
