// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_MACHINE_FIRST_H_
#define ROOFMARK_COMMAND_MACHINE_FIRST_H_

#include <functional>
#include <string>
#include <vector>

namespace roofmark::cli {

// The value of an environment variable, or nullptr.
using Environment = std::function<const char*(const char* name)>;

// Why the processes of `command` may run on another kind of node than this command, as a clause;
// empty if nothing says so.
std::string MayRunElsewhere(const std::vector<std::string>& command, const Environment& variable);

// Where this machine has no machine file, `roofmark machine --quick` is executed, or, if `command`
// may run elsewhere, named. Returns 0, or the command's exit status if the user interrupted it.
int MeasureMachineFirst(const std::vector<std::string>& command);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_FIRST_H_
