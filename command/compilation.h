// SPDX-License-Identifier: BSD-3-Clause
//
// How an executable was compiled, as far as its debug information tells.
#ifndef ROOFMARK_COMMAND_COMPILATION_H_
#define ROOFMARK_COMMAND_COMPILATION_H_

#include <string>
#include <string_view>

#include "lib/profile/profile.h"

namespace roofmark::cli {

// True if `producer` is how GCC describes a compilation in debug information (DW_AT_producer with
// -grecord-gcc-switches, which is its default): "GNU C17 12.2.0 -mtune=generic -g -O2".
bool IsGccsDescription(std::string_view producer);
// One whose last option -O is another than -O0.
bool IsOptimised(std::string_view producer);

// True if the debug information of the ELF file (64 bits, little-endian) has descriptions by GCC,
// none of them is of an optimised compilation, and clang compiled nothing of it. False where
// nothing is known: other compilers do not record their options, and files without -g, or with
// compressed debug sections, have none that are read here. At most 1 GiB of strings is read.
bool CompiledWithoutOptimisation(const std::string& path);

// States it as the fact "compiled" of the passes with real times, if it is true of the program that
// they executed on this machine, beginning in `directory` (empty: the current one).
void NoteCompilation(const std::string& directory, RunInfo& run);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_COMPILATION_H_
