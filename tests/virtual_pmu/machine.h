// SPDX-License-Identifier: BSD-3-Clause
//
// The described machine: what machines.py wrote into a folder's `machine` file.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_MACHINE_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_MACHINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace vpmu {

struct Pmu {
  std::string name;
  uint32_t type = 0;
  bool core = false;
  bool exact_cpu = false;                // AMD: only CPUs of the packages in the mask (ENODEV)
  int counters = 0;                      // general ones
  uint64_t bits[3] = {};                 // of config, config1, config2 in format/
  uint64_t ignored = 0;                  // bits of config that the kernel drops
  std::vector<uint64_t> fixed;           // encodings that have a counter of their own
  std::map<uint64_t, uint64_t> generic;  // PERF_COUNT_HW_* -> config
  std::vector<int> cpus;                 // cpumask
};

// Only leaves without subleaves: their ECX means nothing.
struct CpuidLeaf {
  uint32_t leaf, registers[4];
};

struct Machine {
  std::string root;
  std::vector<Pmu> pmus;
  std::vector<int> package;  // of each CPU
  std::vector<CpuidLeaf> cpuid;
  int paranoid = 2;
  const Machine* before = nullptr;  // the one that was in use before: none is ever freed
};

// Null if `root` has no machine.
std::unique_ptr<Machine> ReadMachine(const std::string& root);

// "0,4" or "4-7".
std::vector<int> ParseList(const std::string& text);

// The machine in use, null for none. Set before threads start, or by vpmu_use().
const Machine* Current();
void SetCurrent(std::unique_ptr<Machine> machine);

const Pmu* FindPmu(const Machine& machine, uint32_t type);
int PmuNumber(const Machine& machine, const std::string& name);  // -1: none

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_MACHINE_H_
