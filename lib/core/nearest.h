// SPDX-License-Identifier: BSD-3-Clause
//
// "did you mean": of known words the one that a misspelt word stands for.
#ifndef ROOFMARK_LIB_CORE_NEAREST_H_
#define ROOFMARK_LIB_CORE_NEAREST_H_

#include <span>
#include <string_view>

namespace roofmark {

// The known word that differs least, by letters that are added, missing, wrong or swapped with
// their neighbour: at most one of four letters, and two. Empty if there is none.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_NEAREST_H_
