// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions become regions (ROOFMARK_FUNCTIONS): patterns, separated by commas.
//
//     libblas.so*:dgemm_,app:solve*    `dgemm_` of a library, and what begins with `solve`
//
// A pattern is MODULE:FUNCTION, split at its first colon; both are globs (lib/core/glob.h). MODULE
// is compared with a file's name without its folders; `app` or nothing stands for the executable.
// If it has a `/`, it is no glob but the path of a file, which need not be loaded yet.
#ifndef ROOFMARK_LIB_CORE_FUNCTION_CHOICE_H_
#define ROOFMARK_LIB_CORE_FUNCTION_CHOICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/glob.h"
#include "lib/core/result.h"

namespace roofmark {

class FunctionPattern {
 public:
  // The error is a clause about `text`.
  static Result<FunctionPattern> Parse(std::string_view text);

  const std::string& text() const { return text_; }
  // Of the file that it names by a path; empty: it names none.
  const std::string& path() const { return path_; }
  // `name` is a file's, without folders.
  bool MatchesModule(std::string_view name, bool is_executable) const;
  bool MatchesFunction(std::string_view name) const { return function_.Matches(name); }

 private:
  std::string text_, path_;
  bool executable_ = false;
  Glob module_, function_;
};

struct FunctionChoice {
  // The error names the pattern: "`solve` has no colon ...".
  static Result<FunctionChoice> Parse(std::string_view text);

  std::vector<FunctionPattern> patterns;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FUNCTION_CHOICE_H_
