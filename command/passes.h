// SPDX-License-Identifier: BSD-3-Clause
//
// The executions that `roofmark run` makes, and what they leave.
#ifndef ROOFMARK_COMMAND_PASSES_H_
#define ROOFMARK_COMMAND_PASSES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/child.h"
#include "command/pass_directory.h"
#include "command/programs.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

struct PassResult {
  ChildEnd end;
  // What it measured: parts merged, or recovered where processes died; nothing if it left nothing.
  // Of several programs the chosen one's.
  std::optional<RooflineFile> file;
  std::vector<Program> others;     // the other programs of the command that deserve a file
  bool unread = false;             // there is more than `file` has: the directory must stay
  std::vector<std::string> notes;  // sentences to show
};

// Runs `child` with ROOFMARK_COLLECTOR=`collector`, quiet unless its environment says otherwise,
// and with its output in `directory`. What its processes left in this node's memory is in that
// directory afterwards, or stays. A status other than 0 is a fact of the pass
// ("exit_status") and a warning of the file.
PassResult RunPass(Child child, const std::string& collector, const std::string& directory,
                   const ChildWatch& watch = {});
// Which of the command's programs is measured; nothing before the first execution.
std::optional<ProgramKey> ProgramOf(const Child& child);
// The file that it asks its processes for.
std::string OutputOfPass(const std::string& collector, const std::string& directory);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PASSES_H_
