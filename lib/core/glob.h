// SPDX-License-Identifier: BSD-3-Clause
//
// Globs over names in UTF-8: `*` is any text, `?` one character, `[a-z]` one of a set, `[!a-z]` one
// that is not of it, and `\` takes away the meaning of what follows. fnmatch(3) is not used: it
// reads a name by the locale that the program has set, and takes memory of the caller's stack.
#ifndef ROOFMARK_LIB_CORE_GLOB_H_
#define ROOFMARK_LIB_CORE_GLOB_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/result.h"

namespace roofmark {

// Whether `texts` is what `items` stand for: an item with `star` set for any number of texts, each
// other one for one text that `takes(item, text)`.
template <typename Items, typename Texts, typename Takes>
bool MatchesSequence(const Items& items, const Texts& texts, Takes takes) {
  size_t item = 0, text = 0;
  size_t after_star = 0, resume = 0;  // where to go on if the last star takes one text more
  while (text < texts.size()) {
    if (item < items.size() && items[item].star) {
      after_star = ++item;
      resume = text;
    } else if (item < items.size() && takes(items[item], texts[text])) {
      ++item;
      ++text;
    } else if (after_star > 0) {
      item = after_star;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (item < items.size() && items[item].star) ++item;
  return item == items.size();
}

class Glob {
 public:
  // The error is a clause about `text`: "has a [ without its ]".
  static Result<Glob> Parse(std::string_view text);

  // `name` is UTF-8.
  bool Matches(std::string_view name) const;
  // True for what consists of `*`.
  bool TakesAll() const;

 private:
  struct Item {
    bool star = false;
    bool inverted = false;                              // what is in no range
    std::vector<std::pair<char32_t, char32_t>> ranges;  // first and last
    bool Takes(char32_t point) const;
  };
  std::string ReadSet(std::u32string_view& rest);

  std::vector<Item> items_;
};

// `text` at each `separator` that neither `\` nor a set protects.
std::vector<std::string_view> SplitGlobs(std::string_view text, char separator);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_GLOB_H_
