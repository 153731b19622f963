// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/environment_findings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "command/doctor/diagnose.h"
#include "lib/core/cpu_list.h"
#include "lib/core/descriptor.h"
#include "lib/model/machine_files.h"

namespace roofmark::cli {
namespace {

constexpr char kMachine[] = "This machine", kLimits[] = "Limits", kFiles[] = "Files";

Finding Cpu(const Result<events::CpuModel>& cpu) {
  Finding finding{"cpu", kMachine, "CPU", "", {}};
  if (cpu) {
    finding.found = fmt::format("{}{} ({})", events::CpuTitle(cpu->microarch),
                                cpu->client ? ", desktop or laptop" : "", events::CpuKey(*cpu));
    return finding;
  }
  finding.found = cpu.error().substr(0, cpu.error().find(';'));
  finding.diagnosis = {State::kUnsupported, 0, "this CPU is not in roofmark's event table",
                       "roofmark run -- PROGRAM (the counting engine needs no table)"};
  return finding;
}

Finding Affinity(const SystemFacts& facts, std::string found, Diagnosis diagnosis) {
  return {"affinity", kLimits, "CPUs",
          fmt::format("{} of {} ({}){}", facts.allowed.size(), facts.online.size(),
                      FormatCpuList(facts.allowed), found),
          std::move(diagnosis)};
}

Finding SharedMemory() {
  constexpr size_t kBytes = size_t{16} << 20;
  Finding finding{"shared_memory", kFiles, "/dev/shm", "16 MiB can be allocated", {}};
  const int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  int error = fd < 0 ? errno : 0;
  const State state = fd < 0 ? State::kMissing : State::kLimited;
  if (fd >= 0) {
    error = posix_fallocate(fd, 0, kBytes);
    close(fd);
  }
  if (error == 0) return finding;
  finding.found = "16 MiB cannot be allocated";
  finding.diagnosis = {
      error == EACCES || error == EPERM ? State::kDenied : state, error,
      fmt::format("{}: MPI needs it, and so do the spools that survive a killed job",
                  std::strerror(error)),
      "a larger tmpfs on /dev/shm (containers: docker run --shm-size=1g ...)"};
  return finding;
}

Finding MachineFile() {
  Finding finding{"machine_file", kFiles, "machine file", "", {}};
  const Result<KeptMachine> kept = LoadMachineFile();
  if (!kept) {
    finding.found = "none for this machine";
    finding.diagnosis = {State::kMissing, 0, "reports have no roofs without it",
                         "roofmark machine (45 s; --quick takes 10 s)"};
    return finding;
  }
  finding.found = kept->path;
  if (!kept->stale.empty()) {
    finding.diagnosis = {State::kLimited, 0,
                         fmt::format("may be out of date: {}", fmt::join(kept->stale, "; ")),
                         "roofmark machine"};
  } else if (kept->machine.partial) {
    finding.diagnosis = {State::kLimited, 0, "the measurement was interrupted", "roofmark machine"};
  }
  return finding;
}

}  // namespace

Findings FindMachineKind(const Result<events::CpuModel>& cpu, const SystemFacts& facts) {
  const auto or_none = [](const std::string& name, std::string_view kind) {
    return name.empty()        ? fmt::format("no {}", kind)
           : name == "unknown" ? fmt::format("a {} of an unknown vendor", kind)
                               : name;
  };
  return {Cpu(cpu),
          {"virtual_machine",
           kMachine,
           "virtual machine",
           or_none(facts.hypervisor, "virtual machine"),
           {}},
          {"container",
           kMachine,
           "container",
           or_none(facts.container, "container") +
               (facts.seccomp ? ", with a filter of system calls (seccomp)" : ""),
           {}}};
}

Finding FindDescriptors(const SystemFacts& facts, size_t events) {
  Finding finding{"open_files", kLimits, "open files", "no limit", {}};
  if (facts.most_files == UINT64_MAX) return finding;
  finding.found =
      fmt::format("{} of {} are free", facts.most_files - facts.open_files, facts.most_files);
  const char* const more = "ulimit -n $(ulimit -Hn)";
  const char* const ask =
      "a higher limit from the administrator (nofile in /etc/security/limits.conf)";
  if (facts.most_files < uint64_t{kFewFiles}) {
    finding.diagnosis = {
        State::kLimited, EMFILE,
        fmt::format("where fewer than {} files may be open, roofmark leaves all of them to the "
                    "program: no hardware counters, no counting engine",
                    kFewFiles),
        facts.most_files_hard >= uint64_t{kFewFiles} ? more : ask};
    return finding;
  }
  const size_t threads = std::max<size_t>(facts.allowed.size(), facts.omp_threads.value_or(1));
  // roofmark takes half of what is free at most; the rest is the application's.
  const uint64_t budget = (facts.most_files - std::min(facts.most_files, facts.open_files)) / 2;
  const uint64_t needed = uint64_t{events} * threads;
  if (needed <= budget) {
    if (events > 0) {
      finding.found += fmt::format("; {} threads x {} events need {}", threads, events, needed);
    }
    return finding;
  }
  finding.diagnosis = {
      State::kLimited, EMFILE,
      fmt::format(
          "{} threads x {} events need {}, but roofmark uses at most half of the free ones ({})",
          threads, events, needed, budget),
      facts.most_files_hard > facts.most_files && facts.most_files_hard / 2 >= needed
          ? more
          : fmt::format("{}, or fewer events: ROOFMARK_GROUP=dp", ask)};
  return finding;
}

// Bound to one CPU, threads of a process take turns; a launcher does that to every rank.
Finding FindAffinity(const SystemFacts& facts) {
  const size_t allowed = facts.allowed.size();
  const std::string binding =
      "mpirun --map-by slot:PE=N --bind-to core, srun --cpus-per-task=N, or taskset -c";
  if (facts.omp_threads && *facts.omp_threads > allowed) {
    return Affinity(facts, fmt::format(", OMP_NUM_THREADS={}", *facts.omp_threads),
                    {State::kLimited, 0,
                     fmt::format("{} threads take turns on {} CPU{}", *facts.omp_threads, allowed,
                                 allowed == 1 ? "" : "s"),
                     binding});
  }
  if (allowed == 1 && facts.online.size() > 1 && facts.omp_threads.value_or(2) > 1) {
    return Affinity(facts, "",
                    {State::kLimited, 0,
                     "this process is bound to one CPU: its threads take turns on it", binding});
  }
  return Affinity(facts, "", {});
}

Findings FindLimits(const SystemFacts& facts, size_t events) {
  return {FindDescriptors(facts, events), FindAffinity(facts)};
}

Findings FindFiles() { return {SharedMemory(), MachineFile()}; }

}  // namespace roofmark::cli
