// SPDX-License-Identifier: BSD-3-Clause
//
// What the headers of an executable file say.
#ifndef ROOFMARK_COMMAND_ELF_PROGRAM_H_
#define ROOFMARK_COMMAND_ELF_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>

namespace roofmark::cli {

struct ElfProgram {
  uint16_t type = 0;  // ET_EXEC, ET_DYN, ...
  bool has_loader = false;
  std::string loader;  // the dynamic linker that it names; empty: it has none, or no sensible name
};

// Nothing if it is no ELF file of 64 bits, or is cut off in its headers.
std::optional<ElfProgram> ReadElfProgram(const std::string& path);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_ELF_PROGRAM_H_
