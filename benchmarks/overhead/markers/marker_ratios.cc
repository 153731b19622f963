// SPDX-License-Identifier: BSD-3-Clause
//
// marker_ratios [ROUNDS]: runs marker_cost off and on in turn, and prints the median over rounds of
// each pair's cost divided by that of two time-stamp reads of the same run, beside its bar. Exits
// with 1 if a bar is missed.
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
      "env -u ROOFMARK -u ROOFMARK_COLLECTOR {} {} --benchmark_format=json "
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

struct Row {
  const char* what;
  bool on;
  const char* name;
  const char* reference;
  double bar;  // 0: no bar
};

constexpr Row kRows[] = {
    {"off", false, "Pair", "TwoTicks", 0.15},
    {"timer, depth 1", true, "Pair", "TwoTicks", 2.0},
    {"timer, depth 4", true, "PairAtDepth4", "TwoTicks", 2.0},
    {"timer, two threads", true, "Pair/threads:2", "TwoTicks/threads:2", 2.5},
    {"timer, dynamic name", true, "NamedPair", "TwoTicks", 0},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  std::string program = argv[0];
  program.replace(program.rfind("marker_ratios"), std::string::npos, "marker_cost");
  std::vector<std::vector<double>> ratios(std::size(kRows)), costs(std::size(kRows));
  for (int round = 0; round < rounds; ++round) {
    const Times off = RunOnce(program, "");
    const Times on =
        RunOnce(program, "ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=/dev/null");
    for (size_t i = 0; i < std::size(kRows); ++i) {
      const Times& times = kRows[i].on ? on : off;
      if (times.count(kRows[i].name) == 0) continue;
      costs[i].push_back(times.at(kRows[i].name));
      ratios[i].push_back(times.at(kRows[i].name) / times.at(kRows[i].reference));
    }
  }
  int missed = 0;
  fmt::print("{:<22} {:>9} {:>22} {:>6}\n", "begin/end pair", "ns", "/ two time-stamp reads",
             "bar");
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const double ratio = Median(ratios[i]);
    const bool met = !ratios[i].empty() && (kRows[i].bar == 0 || ratio <= kRows[i].bar);
    missed += !met;
    fmt::print("{:<22} {:>9.2f} {:>22.3f} {:>6} {}\n", kRows[i].what, Median(costs[i]), ratio,
               kRows[i].bar == 0 ? "-" : fmt::format("{:.2f}", kRows[i].bar), met ? "" : "MISSED");
  }
  return missed == 0 ? 0 : 1;
}
