// SPDX-License-Identifier: BSD-3-Clause
//
// A command that is given as one argument.
#ifndef ROOFMARK_COMMAND_RUN_WORDS_H_
#define ROOFMARK_COMMAND_RUN_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::cli {

// Its words, as a shell tells them apart: by blanks, which quotes and backslashes protect. Nothing
// is expanded, and no shell is executed. The error is a clause about `text`.
Result<std::vector<std::string>> SplitWords(std::string_view text);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_WORDS_H_
