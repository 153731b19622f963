// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/launch_words.h"

#include <fmt/format.h>

#include "lib/core/launcher_table.h"
#include "lib/core/shell_word.h"
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
  const std::string file =
      fmt::format("machine-{}.json", info.kind.empty() ? info.name : info.kind);
  const std::string measure = fmt::format("roofmark machine -o {}", ShellWord(file));
  const LauncherInfo* row = FindLauncher(LauncherOf(run));
  if (row != nullptr && !row->on_host.empty()) {
    return fmt::format("`{} {}`", Filled(row->on_host, ShellWord(info.name), info.cpus), measure);
  }
  return fmt::format("`{}` on {}", measure, Printable(info.name));
}

}  // namespace roofmark
