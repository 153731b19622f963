// SPDX-License-Identifier: BSD-3-Clause
//
// Completion of the command line in shells: subcommands, their options, and the values of those
// that take certain words, files or directories. What follows `--` is another program's.
#ifndef ROOFMARK_COMMAND_MANUAL_COMPLETION_H_
#define ROOFMARK_COMMAND_MANUAL_COMPLETION_H_

#include <string>
#include <vector>

#include "command/manual/page.h"

namespace roofmark::cli {

std::string BashCompletion(const std::vector<CommandPage>& pages);
std::string ZshCompletion(const std::vector<CommandPage>& pages);
std::string FishCompletion(const std::vector<CommandPage>& pages);

// What a value is, as far as a shell can complete it.
enum class ValueKind { kNone, kWords, kFile, kDirectory, kOther };
ValueKind KindOf(const OptionPage& option);
std::string FirstLine(const std::string& text);
// The first line of a text, between single quotes of a shell.
std::string Quoted(const std::string& text);
std::string Joined(const std::vector<std::string>& words, const std::string& between);
// "-o --output --force".
std::string OptionNames(const CommandPage& page);
std::string SubcommandNames(const std::vector<CommandPage>& pages);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MANUAL_COMPLETION_H_
