// SPDX-License-Identifier: BSD-3-Clause
//
// `mpirun -n 2 roofmark run -- ./app`, the order of tools that wrap one process. `roofmark run`
// executes the whole job several times, so it stands in front of the launcher.
#ifndef ROOFMARK_COMMAND_RUN_INSIDE_OUT_H_
#define ROOFMARK_COMMAND_RUN_INSIDE_OUT_H_

#include <span>
#include <string>

#include "lib/core/launcher.h"

namespace roofmark::cli {

// A launcher started this command on several ranks, as far as its environment tells.
bool IsInsideOut(const Launcher& launcher);

// The line to type instead, for the arguments of this command with its name: the launcher stands
// behind "--".
std::string TurnedRound(std::span<const std::string> arguments, const Launcher& launcher);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_INSIDE_OUT_H_
