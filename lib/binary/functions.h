// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of one file, made of its symbols and of the extents in its tables for exceptions. Pure.
#ifndef ROOFMARK_LIB_BINARY_FUNCTIONS_H_
#define ROOFMARK_LIB_BINARY_FUNCTIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/binary/frames.h"
#include "lib/binary/names.h"

namespace roofmark::binary {

struct Symbol {
  std::string name;
  uint64_t address = 0;
  uint64_t bytes = 0;     // 0: not known
  bool function = true;   // false: a place in code of which nothing is said (assembler)
  bool resolver = false;  // chooses the function at load (ifunc)
  bool global = false, weak = false;
  uint32_t unit = 0;  // local symbols: number of the source file that they belong to; 0: not known
};

struct Function {
  uint64_t begin = 0, end = 0;  // offsets from the begin of the module
  std::string symbol;           // empty: it has none
  // As the source has it, or `library+0x1f40`.
  std::string name;
  // The symbol before it, as the source has it, where it has none itself. Empty: there is none.
  std::string nearest;
  Part part = Part::kWhole;
  // Index of the function that it is a part of, or of another part of the same one where the
  // compiler left bodies of OpenMP constructs of it alone. Unknown for a part, too, where nothing
  // was kept.
  std::optional<uint32_t> parent;
};

// What functions are made of. Addresses are as the linker gave them; `base` is offset 0.
struct FunctionInput {
  std::string library;  // its name for functions without a symbol
  uint64_t base = 0;
  std::vector<Symbol> symbols;
  std::vector<FrameExtent> frames;
  std::vector<FrameExtent> code;  // sections with code, without tables of jumps (PLT); by
                                  // begin, none overlap, none before `base`
};

// By begin; none overlap. Code that neither a symbol nor a frame names is a function without a
// symbol, unless it is so short that it is padding.
std::vector<Function> MakeFunctions(const FunctionInput& input);

// Renames functions whose language is Fortran.
void NameFortran(std::vector<Function>& functions,
                 const std::function<bool(uint64_t offset)>& is_fortran);

// The one that has the offset; nothing if none has.
const Function* FindFunction(const std::vector<Function>& functions, uint64_t offset);

// The function of the source that a function is a part of, by their indices.
uint32_t RootOf(const std::vector<Function>& functions, uint32_t function);
// Of the code at an offset; nothing: it is in no function.
std::optional<uint32_t> RootAt(const std::vector<Function>& functions, uint64_t offset);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_FUNCTIONS_H_
