// SPDX-License-Identifier: BSD-3-Clause
//
// Which source lines code was made of, by the debug information of one file (DWARF), read by libdw.
// It is found in the file itself, or in the one that belongs to it by its build id or name, below
// /usr/lib/debug and beside the file. If DEBUGINFOD_URLS is set, libdw asks those servers, too.
// Built without libdw, nothing is known.
#ifndef ROOFMARK_LIB_BINARY_SOURCES_H_
#define ROOFMARK_LIB_BINARY_SOURCES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/core/source_frame.h"

namespace roofmark::binary {

// Code from this place on, up to the next one's, is of these lines.
struct SourceRow {
  uint64_t offset = 0;
  SourceChain chain;  // empty: it is not known from here on
};

// A statement begins at this place, in the compiler's view: its code may be empty, or lie
// elsewhere.
struct SourceMark {
  uint64_t offset = 0;
  std::string file;
  uint32_t line = 0;
};

// A function as the debug information describes it. Two descriptions are of one function if symbol
// and number are the same.
struct SourceFunction {
  std::string symbol;   // as the linker knows it, or just its name
  uint64_t number = 0;  // 0: no other function of the program has the symbol
  std::string name;     // as the source has it
  std::string file;     // where it is declared; empty: not known
  uint32_t line = 0;    // 0: not known
};

// A call of a function that was inlined there.
struct InlinedCall {
  SourceFunction function;
  uint64_t number = 0;  // of the call; no two in a file have the same
  // Offset of the instruction with which it begins, where the compiler says so.
  std::optional<uint64_t> begin;
};

// Code from this place on, up to the next one's, is in these calls.
struct InlinedRow {
  uint64_t offset = 0;
  std::vector<InlinedCall> calls;  // outermost first; empty: code of the function itself
};

// Not thread-safe. Offsets are from the begin of the module, as in binary.h. What is damaged is
// taken for unknown.
class Sources {
 public:
  // `base`: the address, as the linker gave it, that is offset 0. The error names the file and says
  // how to get debug information.
  static Result<Sources> Open(const std::string& path, uint64_t base);
  ~Sources();
  Sources(Sources&&) noexcept;
  Sources& operator=(Sources&&) noexcept;

  // The first question about a unit of compilation reads all of it: milliseconds. Others take
  // microseconds.
  SourceChain ChainAt(uint64_t offset);
  // All of [begin, end). The first row is at `begin`.
  std::vector<SourceRow> RowsIn(uint64_t begin, uint64_t end);
  // All marks in [begin, end), also where several lie at one place.
  std::vector<SourceMark> MarksIn(uint64_t begin, uint64_t end);
  // All of [begin, end). The first row is at `begin`.
  std::vector<InlinedRow> InlinedIn(uint64_t begin, uint64_t end);
  // Of code, without what was inlined there. Of a body that GCC made of an OpenMP construct, that
  // is the function that it was written in.
  std::optional<SourceFunction> FunctionAt(uint64_t offset);
  // Where the function that begins there begins in the source, were anything inlined at its entry.
  // Of a body that GCC made of an OpenMP construct, that is the construct. No function is named.
  SourceFrame BeginAt(uint64_t offset);
  bool IsFortran(uint64_t offset);
  // The function around this one in the source, by the lines at which both are declared: for bodies
  // of OpenMP constructs whose symbols do not name it. Empty: not known.
  std::string FunctionAround(uint64_t offset);
  // Some of it was optimised by GCC when it was linked (-flto): then the lines of many loops are
  // missing.
  bool has_link_time_code() const;
  // The file that has the debug information, if it is another one.
  const std::string& debug_file() const;

 private:
  class Reader;
  explicit Sources(std::unique_ptr<Reader> reader);
  std::unique_ptr<Reader> reader_;
};

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_SOURCES_H_
