// SPDX-License-Identifier: BSD-3-Clause
//
// Scopes and lines of one unit of compilation, as DWARF 5 describes them (sections 3.3 and 6.2).
#ifndef ROOFMARK_LIB_BINARY_UNIT_H_
#define ROOFMARK_LIB_BINARY_UNIT_H_

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/binary/names.h"
#include "lib/binary/sources.h"
#include "lib/core/source_frame.h"

namespace roofmark::binary {

bool IsFortranUnit(Dwarf_Die& unit);
// Made by GCC when it linked, of code in its own intermediate language (GIMPLE).
bool IsLinkTimeUnit(Dwarf_Die& unit);

class Unit {
 public:
  explicit Unit(Dwarf_Die die);

  // Addresses are those of the debug information.
  SourceChain ChainAt(uint64_t address) const;
  // Where the answer of ChainAt may change, in [begin, end), sorted.
  std::vector<uint64_t> ChangesIn(uint64_t begin, uint64_t end) const;
  // Lines of the line table, also those that the last one at an address hides.
  std::vector<SourceMark> MarksIn(uint64_t begin, uint64_t end) const;
  // As Sources::InlinedIn and FunctionAt.
  std::vector<InlinedRow> InlinedIn(uint64_t begin, uint64_t end) const;
  std::optional<SourceFunction> FunctionAt(uint64_t address) const;
  // The symbol of the function around the one that has this address; empty: not known.
  std::string FunctionAround(uint64_t address) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Name {
    std::string symbol;
    std::string source;  // as the source has it
    SymbolName parts;
  };
  // A function, or an inlined call of one.
  struct Scope {
    uint32_t parent = kNone;  // scope in which it was inlined
    uint32_t depth = 0;
    uint32_t name = 0;  // index in names_
    uint32_t declared_file = kNone, declared_line = 0;
    uint32_t call_file = kNone, call_line = 0;
    uint64_t number = 0;  // of its entry
    // Where an inlined call begins.
    std::optional<uint64_t> begin;
    // The function that it is of, for bodies of OpenMP constructs the one around: see
    // SourceFunction.
    uint32_t function_name = 0;
    uint64_t function_number = 0;
    uint32_t written_in = kNone;  // of such bodies by clang: the scope of that function
  };
  struct Range {
    uint64_t begin, end;
    uint32_t scope;
  };
  // From `address` on.
  struct ScopeStep {
    uint64_t address;
    uint32_t scope;  // innermost
  };
  struct LineStep {
    uint64_t address;
    uint32_t file, line;  // kNone, 0: not known
  };

  // `function`: the entry of the function around.
  void ReadScopes(Dwarf_Die& die, uint32_t parent, uint32_t depth, Dwarf_Die* function);
  uint32_t AddScope(Dwarf_Die& die, uint32_t parent, uint32_t depth, Dwarf_Die* function);
  void NameFunction(Dwarf_Die& die, Dwarf_Die* around, Scope& scope);
  uint64_t NumberOfEntry(Dwarf_Die& die) const;
  SourceFunction FunctionOf(const Scope& scope) const;
  std::vector<InlinedCall> CallsAround(uint32_t scope) const;
  void MakeSteps();
  void ReadLines(Dwarf_Die& unit);
  void NameOutlined();
  uint32_t NameOf(std::string symbol);
  const Scope* ScopeAt(uint64_t address) const;
  const Scope* ScopeAround(const Scope& scope) const;
  std::string FileName(uint32_t file) const;
  uint32_t FileOf(const char* name);

  bool fortran_ = false;
  // Of the first entry: those of split debug information lie in files of their own.
  uint64_t first_number_ = 0;
  std::string directory_;  // in which it was compiled
  std::vector<std::string> files_;
  std::map<std::string, uint32_t> file_numbers_;
  std::vector<uint32_t> file_of_index_;  // by DWARF's number
  std::vector<Name> names_;
  std::unordered_map<std::string, uint32_t> name_numbers_;
  std::vector<Scope> scopes_;
  std::vector<Range> ranges_;
  std::vector<ScopeStep> scope_steps_;
  std::vector<LineStep> line_steps_;
  std::vector<LineStep> marks_;  // by address
};

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_UNIT_H_
