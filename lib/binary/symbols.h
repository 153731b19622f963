// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_BINARY_SYMBOLS_H_
#define ROOFMARK_LIB_BINARY_SYMBOLS_H_

#include <vector>

#include "lib/binary/elf_file.h"
#include "lib/binary/functions.h"

namespace roofmark::binary {

// Functions and places in code of both tables, .symtab and .dynsym. Damaged entries are left out.
std::vector<Symbol> ReadSymbols(const ElfFile& file);

// Sections with code, or segments where the file has no sections; without jump tables (.plt). By
// address; none overlap.
std::vector<FrameExtent> ReadCode(const ElfFile& file);

// What functions are made of, as far as the file itself has it.
FunctionInput ReadFunctionInput(const ElfFile& file);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_SYMBOLS_H_
