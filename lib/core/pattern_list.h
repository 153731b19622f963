// SPDX-License-Identifier: BSD-3-Clause
//
// Lists of patterns as settings have them, separated by commas.
#ifndef ROOFMARK_LIB_CORE_PATTERN_LIST_H_
#define ROOFMARK_LIB_CORE_PATTERN_LIST_H_

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/glob.h"
#include "lib/core/result.h"
#include "lib/core/trim.h"

namespace roofmark {

// What may stand around a pattern.
inline constexpr std::string_view kAroundPatterns = " \t\n\v\f\r";

// Each by Pattern::Parse, whose error is a clause about it. The error names the pattern.
template <typename Pattern>
Result<std::vector<Pattern>> ParsePatterns(std::string_view text) {
  std::vector<Pattern> patterns;
  for (std::string_view piece : SplitGlobs(text, ',')) {
    piece = Trim(piece, kAroundPatterns);
    if (piece.empty()) return Error{"there is a comma without a pattern on both sides of it"};
    Result<Pattern> pattern = Pattern::Parse(piece);
    if (!pattern) return Error{fmt::format("`{}` {}", piece, pattern.error())};
    patterns.push_back(std::move(*pattern));
  }
  return patterns;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_PATTERN_LIST_H_
