// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/launch_words.h"

#include <fmt/format.h>

#include "lib/core/terminal_text.h"

namespace roofmark {

std::string LauncherOf(const RunInfo& run) {
  for (const PassInfo& pass : run.passes) {
    const auto fact = pass.facts.find("launcher");
    if (fact != pass.facts.end()) return fact->second;
  }
  if (run.ranks == 1) return "";  // started without one
  if (run.mpi.starts_with("Open MPI")) return "openmpi";
  return run.mpi.starts_with("MPICH") ? "hydra" : "";
}

std::string MeasureCommand(const RunInfo& run, size_t host) {
  const HostInfo& info = run.hosts[host];
  const std::string name = Printable(info.name), launcher = LauncherOf(run);
  const std::string measure =
      fmt::format("roofmark machine -o {}.json",
                  info.kind.empty() ? "machine-" + name : "machine-" + Printable(info.kind));
  if (launcher == "slurm") {
    const std::string cpus = info.cpus > 0 ? fmt::format(" -c {}", info.cpus) : "";
    return fmt::format("`srun -w {} -N1 -n1{} {}`", name, cpus, measure);
  }
  if (launcher == "hydra") return fmt::format("`mpiexec -hosts {} -n 1 {}`", name, measure);
  if (launcher == "openmpi") {
    return fmt::format("`mpirun --host {} -n 1 --bind-to none {}`", name, measure);
  }
  return fmt::format("`{}` on {}", measure, name);
}

}  // namespace roofmark
