// SPDX-License-Identifier: BSD-3-Clause
//
// Names of files that commands write, looked at before the work whose result they hold.
#ifndef ROOFMARK_COMMAND_OUTPUT_FILES_H_
#define ROOFMARK_COMMAND_OUTPUT_FILES_H_

#include <string>
#include <string_view>

namespace roofmark::cli {

// Why `file` is no name for a file of this extension, as a clause with one that is; empty: it may
// be. Only names for other kinds of files are refused.
std::string WhyMisnamed(const std::string& file, std::string_view extension);

// False after saying why `file` cannot be written. `force` is the command's --force: set, a file
// that is there is replaced; nullptr: it has none. Empty and "-" are no files.
bool MayWrite(const std::string& file, const bool* force);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_OUTPUT_FILES_H_
