// SPDX-License-Identifier: BSD-3-Clause
//
// Functions whose code the compiler inlined into others: where their executed code lies.
#ifndef ROOFMARK_LIB_LOOPS_INLINED_H_
#define ROOFMARK_LIB_LOOPS_INLINED_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/binary/functions.h"
#include "lib/binary/sources.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// A function that was inlined somewhere.
struct InlinedFunction {
  std::string name;  // as the source has it
  std::string file;  // where it is declared; empty: not known
  uint32_t line = 0;
  // What is left of it as functions (binary::RootOf): itself, clones, bodies of its OpenMP
  // constructs. Empty: all of its code was inlined.
  std::vector<uint32_t> roots;

  bool operator==(const InlinedFunction&) const = default;
};

// A place at which visits of inlined code begin (inlined_begins.h).
struct InlinedBegin {
  uint64_t place = 0;
  bool in_loop = false;  // of that code: only its first execution in a visit begins one

  bool operator==(const InlinedBegin&) const = default;
};

// The code of one call of such a function.
struct InlinedBody {
  uint32_t function = 0;  // index in Inlined::functions
  uint32_t root = 0;      // the function that the code lies in, as binary::RootOf
  std::optional<uint32_t> parent;
  std::optional<uint64_t> entry;  // where the compiler says that it begins
  uint64_t pieces = 0;            // times that one of its pieces of code was entered, at most
  std::vector<InlinedBegin> begins = {};  // by place, in its own code or that of bodies inside
  uint64_t calls = 0;                     // visits that begin there

  bool operator==(const InlinedBody&) const = default;
};

struct Inlined {
  std::vector<InlinedFunction> functions;
  std::map<uint32_t, uint32_t> of_root;  // functions by their roots
  std::vector<InlinedBody> bodies;       // parents before children
  // Which code has which innermost body; by begin.
  struct Place {
    uint64_t begin = 0, end = 0;
    uint32_t body = 0;

    bool operator==(const Place&) const = default;
  };
  std::vector<Place> places;

  std::optional<uint32_t> At(uint64_t offset) const;
  // All functions that code is of: those inlined there, innermost first, and the one that it lies
  // in, if that is inlined elsewhere. Each once.
  std::vector<uint32_t> FunctionsAt(const std::vector<binary::Function>& functions,
                                    uint64_t offset) const;
};

// What is known of the code of one file: Sources::InlinedIn and FunctionAt.
struct InlinedSources {
  std::function<std::vector<binary::InlinedRow>(uint64_t begin, uint64_t end)> inlined_in;
  std::function<std::optional<binary::SourceFunction>(uint64_t offset)> function_at;
};

// Of functions that were executed. Begins are to be added.
Inlined FindInlined(const std::vector<binary::Function>& functions,
                    const std::vector<Block>& blocks, const InlinedSources& sources);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_INLINED_H_
