// SPDX-License-Identifier: BSD-3-Clause
//
// Where the parts of roofmark lie, relative to this command.
#ifndef ROOFMARK_COMMAND_INSTALLATION_H_
#define ROOFMARK_COMMAND_INSTALLATION_H_

#include <string>

namespace roofmark::cli {

// Of this command.
std::string OwnVersion();
// This program itself; empty if /proc cannot be read.
std::string CommandPath();
// libroofmark.so in the library folder beside the command's own; empty: it is not there.
std::string LibraryPath();
// libroofmark_NAME.so beside it; empty likewise.
std::string LibraryBeside(const std::string& name);
// A sentence if the library beside this command, or the one that recorded a program, is of another
// version than the command; empty: it is not, or there is none.
std::string OtherVersionBeside();
std::string OtherVersionIn(const std::string& recorded);
// The folder of the counting engine: settings and ROOFMARK_TOOL_DIR apart, beside the library.
std::string ToolFolder();
// The kernels that GPUs are measured with; empty: this build has none.
std::string GpuKernels();

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_INSTALLATION_H_
