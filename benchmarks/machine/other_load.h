// SPDX-License-Identifier: BSD-3-Clause
//
// What other programs, and other virtual machines, took of some CPUs meanwhile, as the kernel
// counts it (/proc/stat).
#ifndef ROOFMARK_BENCHMARKS_MACHINE_OTHER_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_OTHER_LOAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace roofmark {

// Ticks in which these CPUs did work, time stolen by other virtual machines included, of the text
// of /proc/stat; nothing if it has none of them.
std::optional<uint64_t> BusyTicks(std::string_view stat, const std::set<uint32_t>& cpus);

// A sentence about CPU time of others on `cpus` CPUs during `seconds`; empty if it is less than 1 %
// of theirs, or than 0.05 CPUs: an idle system uses as much.
std::string OtherLoadWarning(double others_seconds, double seconds, size_t cpus);

class OtherLoad {
 public:
  // Counts from now on; the calling process's own time is left out.
  explicit OtherLoad(std::set<uint32_t> cpus);

  // As OtherLoadWarning(); empty where the kernel does not tell.
  std::string Warning() const;

 private:
  std::optional<double> OthersSeconds() const;

  const std::set<uint32_t> cpus_;
  const uint64_t begin_ns_;
  const std::optional<double> begin_s_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_OTHER_LOAD_H_
