// SPDX-License-Identifier: BSD-3-Clause
//
// What the system says about itself that explains why counters open or do not. Never taken as proof
// that something works: that is probed by opening.
#ifndef ROOFMARK_COMMAND_DOCTOR_SYSTEM_FACTS_H_
#define ROOFMARK_COMMAND_DOCTOR_SYSTEM_FACTS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace roofmark::cli {

struct SystemFacts {
  std::string kernel;                  // release: "6.1.0-18-amd64"
  std::optional<int> paranoid;         // kernel.perf_event_paranoid
  bool nmi_watchdog = false;           // on
  bool seccomp = false;                // a filter looks at this process's system calls
  uint64_t capabilities = 0;           // effective ones, bit by number
  std::string hypervisor;              // "KVM", "unknown"; empty: none
  std::string container;               // "Docker", "unknown"; empty: none
  std::set<uint32_t> online, allowed;  // CPUs
  std::optional<uint32_t> omp_threads;
  uint64_t most_files = 0, most_files_hard = 0, open_files = 0;  // UINT64_MAX: no limit

  // Either is as good as perf_event_paranoid -1.
  bool MayCountAll() const;
};

// `root` is put before /proc, /sys, /run and /.dockerenv; tests use it.
SystemFacts ReadSystemFacts(const std::string& root = "");

// The parts that need reading rules of their own. `signature` is CPUID's, as in "KVMKVMKVM".
std::string HypervisorName(const std::string& signature, const std::string& vendor,
                           const std::string& product);
// /proc/sys/kernel/* and the like: the number in front, or nothing.
std::optional<int> ReadNumber(const std::string& path);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_SYSTEM_FACTS_H_
