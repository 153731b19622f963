// SPDX-License-Identifier: BSD-3-Clause
//
// An executable or a shared library of x86-64: its functions, and the source lines of its code.
// Offsets are from the lowest address at which it is mapped, as /proc/PID/maps shows it.
#ifndef ROOFMARK_LIB_BINARY_BINARY_H_
#define ROOFMARK_LIB_BINARY_BINARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/binary/branch.h"
#include "lib/binary/elf_file.h"
#include "lib/binary/functions.h"
#include "lib/binary/sources.h"
#include "lib/core/result.h"

namespace roofmark::binary {

// Where debug information may lie.
enum class DebugInformation {
  kAnywhere,   // as sources.h says
  kInTheFile,  // nothing else is opened, nobody is asked
};

class Binary {
 public:
  // Errors name the file. Costs tenths of a second where the file has 100,000 functions.
  static Result<Binary> Open(const std::string& path,
                             DebugInformation where = DebugInformation::kAnywhere);

  const std::string& path() const { return file_.path(); }
  // Hexadecimal; empty: it has none.
  const std::string& build_id() const { return file_.build_id(); }
  const std::vector<Function>& functions() const { return functions_; }
  const Function* FunctionAt(uint64_t offset) const { return FindFunction(functions_, offset); }
  // Or the reason why they are not known.
  Result<Sources>& sources() { return sources_; }
  // What the file holds there; fewer bytes where it ends.
  std::string Code(uint64_t offset, uint64_t bytes) const;
  Branch BranchAt(uint64_t offset) const { return ReadBranch(Code(offset, 15)); }

 private:
  Binary(ElfFile file, Result<Sources> sources);
  ElfFile file_;
  Result<Sources> sources_;
  std::vector<Function> functions_;
};

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_BINARY_H_
