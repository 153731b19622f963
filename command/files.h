// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and writing as the subcommands do it: errors are printed, callers only stop.
#ifndef ROOFMARK_COMMAND_FILES_H_
#define ROOFMARK_COMMAND_FILES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/machine.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

std::optional<RooflineFile> LoadRoofline(const std::string& path);
std::optional<std::vector<RooflineFile>> LoadRooflines(const std::vector<std::string>& paths);

// Writes `text` to `path`, or to stdout for "-". An existing file is refused unless `replace`.
bool Save(const std::string& path, std::string_view text, bool replace);

// The machine to hold a run against: the file given with --machine, else the one embedded in the
// run, else this machine's cached measurement if the run was made on this kind of node. Says why
// there is none.
struct FoundMachine {
  std::optional<Machine> machine;
  std::string json;  // as it is to be embedded
  std::string why_none;
  bool failed = false;  // a file that was asked for cannot be read; said already
};
FoundMachine FindMachine(const std::string& given, const RooflineFile* run);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_FILES_H_
