// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and writing as the subcommands do it: errors are printed, callers only stop.
#ifndef ROOFMARK_COMMAND_FILES_H_
#define ROOFMARK_COMMAND_FILES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"
#include "lib/model/machine.h"
#include "lib/model/machine_files.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

enum class ComesFrom {
  kUser,       // who named the file
  kDirectory,  // in which it was found: see ReadFound()
};
// The errors say which file, and the cure. Nothing is printed.
Result<RooflineFile> ReadRoofline(const std::string& path, ComesFrom origin);
std::optional<RooflineFile> LoadRoofline(const std::string& path,
                                         ComesFrom origin = ComesFrom::kUser);
std::optional<std::vector<RooflineFile>> LoadRooflines(const std::vector<std::string>& paths,
                                                       ComesFrom origin = ComesFrom::kUser);

// Writes `text` to `path`, or to stdout for "-". An existing file is refused unless `replace`.
bool Save(const std::string& path, std::string_view text, bool replace);

// The machines to hold a run against, one for each kind of node: the files given with --machine,
// else those embedded in the run; for kinds that these do not have, `machine-KIND.json` beside
// `name` (the roofline file's), in ROOFMARK_MACHINE_DIR and in the user's cache. A run that does
// not say its kind is held against this machine's. Says why there is none, or which nodes have
// none.
struct FoundMachines {
  std::vector<Machine> machines;
  std::vector<std::string> json;  // as they are to be embedded
  std::string why_none;
  bool failed = false;  // a file that was asked for cannot be read; said already
};
FoundMachines FindMachines(const std::vector<std::string>& given, const RooflineFile& run,
                           const std::string& name);

void SayIfStale(const KeptMachine& kept);

// Those given with --machine alone, or after saying why not nothing.
std::optional<std::vector<Machine>> ReadMachines(const std::vector<std::string>& given);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_FILES_H_
