// SPDX-License-Identifier: BSD-3-Clause
//
// A machine that has everything: 128 cores of two packages, four NUMA nodes, every id that
// lib/model/machine.h names, curves at powers of two. Figures are invented.
#ifndef ROOFMARK_TESTS_LIB_MODEL_LARGE_MACHINE_H_
#define ROOFMARK_TESTS_LIB_MODEL_LARGE_MACHINE_H_

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lib/model/machine.h"
#include "tests/lib/model/sample_machine.h"

namespace roofmark::test {

// Cores and packages of a curve's points.
using PlacedOn = std::vector<std::pair<uint32_t, uint32_t>>;

// One core, one package, all.
inline PlacedOn Few() { return {{1, 1}, {64, 1}, {128, 2}}; }
// A package that fills up, then both side by side.
inline PlacedOn Many() {
  PlacedOn on;
  for (const uint32_t packages : {1u, 2u}) {
    for (uint32_t each = 1; each <= 64; each *= 2) on.emplace_back(each * packages, packages);
  }
  return on;
}

// `one` on one core; `scaling` is the factor to it, of cores and packages.
template <typename Scaling>
CeilingCurve MakeCurve(const std::string& id, const std::string& label, const std::string& unit,
                       double one, const PlacedOn& on, const Scaling& scaling) {
  CeilingCurve ceiling;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.unit = unit;
  for (const auto& [cores, packages] : on) {
    const double value = one * scaling(cores, packages);
    ceiling.curve.push_back(
        MakePoint(cores, packages, value, 0.99 * value, 0.9 * value, 1.01 * value));
  }
  return ceiling;
}

// Clocks fall by a fifth from one core to all.
inline double Turbo(uint32_t cores, uint32_t) { return cores * (1 - 0.2 * std::log2(cores) / 7); }
// A package's memory is saturated by eight of its cores.
inline double Saturating(uint32_t cores, uint32_t packages) {
  return packages * std::min(cores / packages, 8u);
}

inline void AddCompute(Machine& machine) {
  const std::pair<std::string, double> precisions[] = {
      {"dp", 1}, {"sp", 2}, {"hp", 4}, {"bf16", 4}};
  const std::pair<std::string, double> kinds[] = {{"add", 6},   {"mul", 6},     {"muladd", 11},
                                                  {"fma", 12},  {"fmaadd", 15}, {"div", 0.75},
                                                  {"sqrt", 0.5}};
  const std::pair<std::string, double> widths[] = {
      {"scalar", 1}, {"128", 2}, {"256", 4}, {"512", 8}};
  for (const auto& [precision, lanes] : precisions) {
    const auto add = [&machine, &name = precision](const std::string& rest, double one) {
      machine.ceilings.push_back(MakeCurve("compute." + name + "." + rest, name + " " + rest,
                                           "GFLOP/s", one, Few(), Turbo));
    };
    if (precision == "bf16") {
      add("fma.512", 12 * 8 * lanes);
      add("peak", 12 * 8 * lanes);
      continue;
    }
    add("chain.scalar", 1.5);
    add("ilp.scalar", 6);
    for (const auto& [kind, rate] : kinds) {
      // Halves exist as 512-bit vectors only; divisions are no faster in wide ones.
      for (const auto& [width, factor] : widths) {
        if (precision == "hp" && width != "512") continue;
        const bool divides = kind == "div" || kind == "sqrt";
        const double more_lanes = width == "scalar" ? 1 : lanes;
        add(kind + "." + width,
            divides ? rate * std::min(factor, 2.0) : rate * factor * more_lanes);
      }
    }
    add("peak", 15 * 8 * lanes);
  }
  for (const std::string precision : {"dp", "sp"}) {
    for (const int share : {2, 4, 8, 16}) {
      machine.ceilings.push_back(
          MakeCurve("mix." + precision + "." + std::to_string(share), precision + " mix", "GFLOP/s",
                    (precision == "dp" ? 192.0 : 384.0) / share, Few(), Turbo));
    }
  }
}

inline void AddMemory(Machine& machine) {
  const auto add = [&](const std::string& id, const std::string& label, double one,
                       double (*scaling)(uint32_t, uint32_t), double factor = 1) {
    machine.ceilings.push_back(MakeCurve(
        id, label, "GB/s", one, id.starts_with("bandwidth.DRAM") ? Many() : Few(), scaling));
    machine.ceilings.back().counted_factor = factor;
  };
  for (const auto& [level, one] : {std::pair{"L1", 360.0}, {"L2", 140.0}, {"L3", 30.0}}) {
    const std::string name = level;
    add("bandwidth." + name + ".read", name + " read", one, Turbo);
    add("bandwidth." + name + ".copy", name + " copy", one, Turbo, name == "L1" ? 1 : 1.5);
    add("bandwidth." + name + ".triad", name + " triad", one, Turbo, name == "L1" ? 1 : 4.0 / 3);
  }
  const std::pair<std::string, double> ladder[] = {
      {"random", 3}, {"strided", 6}, {"read_far", 9}, {"read", 17}, {"read_prefetch", 19}};
  for (const auto& [kind, one] : ladder) {
    add("bandwidth.DRAM." + kind, "DRAM " + kind, one, Saturating);
  }
  add("bandwidth.DRAM.copy", "DRAM copy", 13, Saturating, 1.5);
  add("bandwidth.DRAM.triad", "DRAM triad", 14, Saturating, 4.0 / 3);
  add("bandwidth.DRAM.triad_prefetch", "DRAM triad, software prefetch", 15, Saturating, 4.0 / 3);
  add("bandwidth.DRAM.triad_nt", "DRAM triad, non-temporal stores", 21, Saturating);
  for (const auto& [level, ns] :
       {std::pair{"L1", 1.6}, {"L2", 5.2}, {"L3", 23.0}, {"DRAM", 110.0}}) {
    const std::string name = level;
    machine.ceilings.push_back(MakeCurve("latency." + name, name + " latency", "ns", ns, {{1, 1}},
                                         [](uint32_t, uint32_t) { return 1.0; }));
  }
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      const std::string rest = "." + std::to_string(from) + "." + std::to_string(to);
      const auto add_node = [&](const std::string& what, const std::string& unit, double value) {
        CeilingCurve ceiling;
        ceiling.id = "numa." + what + rest;
        ceiling.label = what + " from node " + std::to_string(from) + " to " + std::to_string(to);
        ceiling.unit = unit;
        ceiling.curve = {MakePoint(32, 1, value)};
        machine.ceilings.push_back(std::move(ceiling));
      };
      add_node("bandwidth", "GB/s", from == to ? 70 : from / 2 == to / 2 ? 60 : 25);
      add_node("latency", "ns", from == to ? 110 : from / 2 == to / 2 ? 125 : 210);
    }
  }
}

inline Machine LargeMachine() {
  Machine machine;
  machine.cpu_model = "Large CPU";
  machine.cores = 128;
  machine.threads = 256;
  machine.packages = 2;
  machine.cpuset = "0-255";
  machine.effort = "default";
  machine.measured_at = "2026-01-02T03:04:05Z";
  machine.memory_bytes = uint64_t{512} << 30;
  machine.isa = {"scalar", "128", "256", "512"};
  machine.caches = {{1, 48 << 10, 12, 64, 1, 48 << 10},
                    {2, 2 << 20, 16, 64, 1, 2 << 20},
                    {3, 256 << 20, 16, 64, 64, 200 << 20}};
  for (uint32_t node = 0; node < 4; ++node) {
    machine.numa_nodes.push_back({node, "DRAM", uint64_t{128} << 30, 32});
  }
  AddCompute(machine);
  AddMemory(machine);
  for (const std::string width : {"scalar", "128", "256", "512"}) {
    machine.ceilings.push_back(MakeCurve("clock." + width, "clock in " + width + " FMA", "GHz", 3.0,
                                         Few(),
                                         [](uint32_t n, uint32_t p) { return Turbo(n, p) / n; }));
  }
  return machine;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_LARGE_MACHINE_H_
