// SPDX-License-Identifier: BSD-3-Clause
//
// What the command is executed with: variables and libraries, for the time pass and the work pass.
#ifndef ROOFMARK_COMMAND_RUN_CHILDREN_H_
#define ROOFMARK_COMMAND_RUN_CHILDREN_H_

#include <memory>
#include <optional>

#include "command/child.h"
#include "command/folder_links.h"
#include "command/run/options.h"
#include "command/run/settings.h"

namespace roofmark::cli {

struct Children {
  Child time, work;
  std::shared_ptr<FolderLinks> links;  // to what both preload
};

// Nothing if a library is missing that was asked for by name, or cannot be preloaded, or the
// directory cannot be copied; it is said.
std::optional<Children> MakeChildren(const RunOptions& options, const SettingsPlan& plan,
                                     const std::shared_ptr<KeptInput>& input);

// What all executions of the command read; nullptr if there is one.
std::shared_ptr<KeptInput> InputOf(const RunOptions& options);

// What the work pass holds dependences against, and how much of the caches it models: as the report
// finds its machine. Who set the variable knows better, and a job on other nodes has other
// latencies.
void GiveLatencies(const RunOptions& options, Child& work);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_CHILDREN_H_
