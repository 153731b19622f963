// SPDX-License-Identifier: BSD-3-Clause
//
// What the virtual machines count, written down a second time: by hand from the vendors' lists, so
// that tests do not believe roofmark's own table. Header only, and without roofmark's library:
// programs that are counted use it too.
#ifndef ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_MACHINE_FACTS_H_
#define ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_MACHINE_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "virtual_pmu.h"

namespace roofmark::facts {

inline constexpr const char* kMachines[] = {"skx", "clx",  "icx",  "spr", "spr61",
                                            "emr", "zen3", "zen4", "zen5"};
inline constexpr uint32_t kPackages = 2;

struct CoreEvent {
  MetricId metric;
  uint64_t config, weight;
};

// One memory controller of one package. Where `writes` is 0, `reads` counts both.
struct Controller {
  std::string device;
  uint64_t reads, writes;
};

struct Machine {
  std::vector<CoreEvent> core;
  std::vector<Controller> controllers[kPackages];
  bool takes_turns = false;  // more DRAM events than counters

  bool TellsReadsFromWrites() const { return controllers[0][0].writes != 0; }
};

inline Machine Intel(size_t controllers, uint64_t reads, uint64_t writes) {
  constexpr auto kDouble = Precision::kDouble, kSingle = Precision::kSingle;
  Machine machine;
  machine.core = {{AnyKindFlops(kDouble, Width::kScalar), 0x01c7, 1},
                  {AnyKindFlops(kDouble, Width::k128), 0x04c7, 2},
                  {AnyKindFlops(kDouble, Width::k256), 0x10c7, 4},
                  {AnyKindFlops(kDouble, Width::k512), 0x40c7, 8},
                  {AnyKindFlops(kSingle, Width::kScalar), 0x02c7, 1},
                  {AnyKindFlops(kSingle, Width::k128), 0x08c7, 4},
                  {AnyKindFlops(kSingle, Width::k256), 0x20c7, 8},
                  {AnyKindFlops(kSingle, Width::k512), 0x80c7, 16},
                  {metric::kCycles, 0x3c, 1},
                  {metric::kInstructions, 0xc0, 1}};
  for (auto& package : machine.controllers) {
    for (size_t i = 0; i < controllers; ++i) {
      package.push_back({"uncore_imc_" + std::to_string(i), reads, writes});
    }
  }
  return machine;
}

inline Machine Zen() {
  Machine machine;
  machine.core = {{MixedFlops(FlopKind::kAdd), 0x103, 1},
                  {MixedFlops(FlopKind::kMul), 0x203, 1},
                  {MixedFlops(FlopKind::kDiv), 0x403, 1},
                  {MixedFlops(FlopKind::kFma), 0x803, 1},
                  {metric::kCycles, 0x76, 1},
                  {metric::kInstructions, 0xc0, 1}};
  return machine;
}

// Eight channels of one device, on four counters.
inline Machine Zen3() {
  Machine machine = Zen();
  machine.takes_turns = true;
  for (auto& package : machine.controllers) {
    for (uint64_t channel = 0; channel < 8; ++channel) {
      const uint64_t event = 0x07 + 0x40 * channel;
      package.push_back({"amd_df", (event & 0xff) | (event >> 8) << 32 | 0x3800, 0});
    }
  }
  return machine;
}

// Twelve controllers for each package, numbered through.
inline Machine Zen4() {
  Machine machine = Zen();
  for (size_t i = 0; i < 24; ++i) {
    machine.controllers[i / 12].push_back({"amd_umc_" + std::to_string(i), 0x10a, 0x20a});
  }
  return machine;
}

// `name` is one of kMachines.
inline Machine Of(std::string_view name) {
  if (name == "skx" || name == "clx") return Intel(6, 0x0304, 0x0c04);
  if (name == "icx") return Intel(8, 0x0f04, 0x3004);
  if (name == "zen3") return Zen3();
  if (name.starts_with("zen")) return Zen4();
  return Intel(12, 0xcf05, 0xf005);
}

// How often thread `thread` of rank `rank` retires the i-th event: another number for each of the
// three, and no sum of some is another's.
inline uint64_t Count(size_t i, uint64_t rank, uint64_t thread) {
  return (1'000'000 + 10'000 * rank + 100 * thread + 1) << i;
}
inline void Retire(const Machine& machine, uint64_t rank, uint64_t thread) {
  for (size_t i = 0; i < machine.core.size(); ++i) {
    vpmu_retire(0, machine.core[i].config, Count(i, rank, thread));
  }
}

// Lines that the i-th controller of a package moves at a time: a lost, doubled or exchanged
// controller or package gives another sum.
inline uint64_t ReadLines(uint32_t package, size_t i) {
  return (package == 0 ? uint64_t{1009} : uint64_t{70'001}) << i;
}
inline uint64_t WriteLines(uint32_t package, size_t i) {
  return (i + 1) * (package == 0 ? 3 : 500);
}

// The packages' traffic. Where controllers' events take turns the clock is moved on meanwhile,
// evenly, so that what is scaled up comes out right; it must stand still (vpmu_freeze()).
inline constexpr int kTurns = 400;
inline void MoveOnce(const Machine& machine, uint64_t times) {
  for (uint32_t package = 0; package < kPackages; ++package) {
    const auto& controllers = machine.controllers[package];
    for (size_t i = 0; i < controllers.size(); ++i) {
      const char* device = controllers[i].device.c_str();
      const auto at = static_cast<int>(package);
      vpmu_device(at, device, controllers[i].reads, times * ReadLines(package, i));
      if (controllers[i].writes == 0) continue;
      vpmu_device(at, device, controllers[i].writes, times * WriteLines(package, i));
    }
  }
}
inline void Move(const Machine& machine, uint64_t times) {
  for (int turn = 0; turn < (machine.takes_turns ? kTurns : 1); ++turn) {
    MoveOnce(machine, times);
    if (machine.takes_turns) vpmu_advance(1'000'000);
  }
}

// What the file must say of one Move in one package.
struct Traffic {
  uint64_t reads = 0, writes = 0, busiest = 0;  // bytes; reads: both where they are one
  uint64_t controllers = 0;
};
inline Traffic TrafficOf(const Machine& machine, uint32_t package) {
  Traffic traffic;
  const uint64_t bytes = machine.takes_turns ? 64 * kTurns : 64;
  const bool apart = machine.TellsReadsFromWrites();
  for (size_t i = 0; i < machine.controllers[package].size(); ++i) {
    traffic.reads += bytes * ReadLines(package, i);
    if (!apart) continue;
    traffic.writes += bytes * WriteLines(package, i);
    traffic.busiest = bytes * (ReadLines(package, i) + WriteLines(package, i));
  }
  traffic.controllers = apart ? machine.controllers[package].size() : 1;
  if (!apart) traffic.busiest = traffic.reads;
  return traffic;
}

}  // namespace roofmark::facts

#endif  // ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_MACHINE_FACTS_H_
