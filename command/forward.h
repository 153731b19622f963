// SPDX-License-Identifier: BSD-3-Clause
//
// Variables for all nodes of a job. hydra and srun take the whole environment to every node; Open
// MPI's mpirun takes what it is told to.
#ifndef ROOFMARK_COMMAND_FORWARD_H_
#define ROOFMARK_COMMAND_FORWARD_H_

#include <string>

#include "command/child.h"

namespace roofmark::cli {

// The file that is executed for this name, as the shell looks for it; empty if there is none.
std::string FindProgram(const std::string& program);

// A program, or the name of one, that starts those of a job: Open MPI's.
bool IsOpenMpiLauncher(const std::string& program);

// If the command is Open MPI's launcher, tells it of the variables that are set for the child and
// of all ROOFMARK* that this process has: by options `-x` where the command has such options, else
// by the parameter mca_base_env_list (Open MPI refuses to be given both).
void ForwardVariables(Child& child);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_FORWARD_H_
