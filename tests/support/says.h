// SPDX-License-Identifier: BSD-3-Clause
//
// Messages in tests: by their row in lib/core/messages and their values, never by their sentences.
// `testing::_` stands for a value of no interest.
#ifndef ROOFMARK_TESTS_SUPPORT_SAYS_H_
#define ROOFMARK_TESTS_SUPPORT_SAYS_H_

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/message.h"

namespace roofmark::test {

inline constexpr char kAnything = '\1';  // in a sentence

}  // namespace roofmark::test

template <>
struct fmt::formatter<testing::internal::AnythingMatcher> {
  constexpr auto parse(format_parse_context& context) {
    return std::find(context.begin(), context.end(), '}');
  }
  auto format(const testing::internal::AnythingMatcher&, format_context& context) const {
    *context.out()++ = roofmark::test::kAnything;
    return context.out();
  }
};

namespace roofmark::test {

// What stands in `line` for each kAnything of `sentence`; nothing if the line does not have it.
inline std::optional<std::vector<std::string>> ValuesIn(std::string_view line,
                                                        std::string_view sentence) {
  std::vector<std::string> values;
  for (bool first = true;; first = false) {
    const size_t gap = std::min(sentence.find(kAnything), sentence.size());
    const bool last = gap == sentence.size();
    // A value at the end reaches to the end of the line.
    const size_t found = last && gap == 0 ? line.size() : line.find(sentence.substr(0, gap));
    if (found == std::string_view::npos) return std::nullopt;
    if (!first) values.emplace_back(line.substr(0, found));
    if (last) return values;
    line.remove_prefix(found + gap);
    sentence.remove_prefix(gap + 1);
  }
}

inline std::string Readable(std::string sentence) {
  std::replace(sentence.begin(), sentence.end(), kAnything, '_');
  return sentence;
}

MATCHER_P(HasLineWith, sentence, "says: " + Readable(sentence)) {
  const std::string_view text = arg;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (ValuesIn(text.substr(at, end - at), sentence)) return true;
    at = end + 1;
  }
  return false;
}

// Of a text: one of its lines has this message.
template <typename... Values>
auto Says(MessageFor<std::type_identity_t<Values>...> message, const Values&... values) {
  return HasLineWith(InWords(message, values...));
}

// The whole line that the library or the command writes.
template <typename... Values>
std::string LineOf(MessageFor<std::type_identity_t<Values>...> message, const Values&... values) {
  return "roofmark: " + InWords(message, values...) + "\n";
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_SAYS_H_
