// SPDX-License-Identifier: BSD-3-Clause
//
// Where in a source the markers of a region go.
#ifndef ROOFMARK_LIB_SUGGEST_MARK_H_
#define ROOFMARK_LIB_SUGGEST_MARK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"
#include "lib/suggest/insertion.h"
#include "lib/suggest/structure.h"

namespace roofmark::suggest {

enum class Language : uint8_t { kC, kCxx, kFortran, kUnknown };

// By the file's name; of a `.h` by its content.
Language LanguageOf(std::string_view file, const Source& source);

// A loop or function as it was found.
struct Place {
  uint32_t line = 0;     // of the loop's header, or of the function's first code
  std::string function;  // whose name it has; as a program shows it: "ns::solve<double>"
  bool is_function = false;
};

// What is to be marked.
struct Target {
  size_t first = 0, last = 0;  // tokens of the statement, its directives included; of a function
                               // `first` is the '{' of its body
  size_t code = 0;             // the first of them that is no directive
  bool is_function = false;
  bool is_construct = false;  // the parallel construct around the loop
};

// Errors are clauses: "line 7 has no loop".
Result<Target> FindTarget(const Structure& structure, const Place& place);
// True if the loop of this place runs inside a parallel construct of the same function.
bool IsInParallelConstruct(const Structure& structure, const Place& place);

struct Marks {
  std::vector<Insertion> insertions;
  bool scoped = false;  // needs roofmark.hpp
};
Result<Marks> MarksFor(const Structure& structure, const Target& target, Language language,
                       const std::string& name);

// `#include` of the markers' header; nothing if the source has it.
std::vector<Insertion> IncludeFor(const Structure& structure, bool scoped);

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_MARK_H_
