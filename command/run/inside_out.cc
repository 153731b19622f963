// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/inside_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lib/core/launcher_table.h"
#include "lib/core/shell_word.h"

namespace roofmark::cli {
namespace {

// What its row's commands begin with: "srun", "flux run".
std::string_view NameToType(const std::string& launcher) {
  const LauncherInfo* row = FindLauncher(launcher);
  if (row == nullptr || row->binding.empty()) return "mpirun";
  return row->binding.substr(0, row->binding.find(" -"));
}

}  // namespace

bool IsInsideOut(const Launcher& launcher) {
  // Flux starts scripts with the variables of a rank, too.
  return launcher.rank && launcher.ranks.value_or(1) > 1 && launcher.name != "flux";
}

std::string TurnedRound(std::span<const std::string> arguments, const Launcher& launcher) {
  std::string line = "roofmark";
  bool behind = false;
  for (const std::string& word : arguments.subspan(std::min<size_t>(1, arguments.size()))) {
    line += " " + ShellWord(word);
    if (word != "--" || behind) continue;
    behind = true;
    line += fmt::format(" {} -n {}", NameToType(launcher.name), launcher.ranks.value_or(1));
  }
  return line;
}

}  // namespace roofmark::cli
