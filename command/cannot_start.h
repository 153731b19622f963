// SPDX-License-Identifier: BSD-3-Clause
//
// Why the kernel refuses to execute a file, as far as the file itself says.
#ifndef ROOFMARK_COMMAND_CANNOT_START_H_
#define ROOFMARK_COMMAND_CANNOT_START_H_

#include <string>

namespace roofmark::cli {

// A clause with the cure, of the file at this path; empty if nothing speaks against it. What has
// neither the format of a program nor a `#!` line shells execute themselves: that is no reason.
std::string WhyItCannotStart(const std::string& path);

// A program of this or another machine: no shell may take it for a script.
bool IsBinary(const std::string& path);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_CANNOT_START_H_
