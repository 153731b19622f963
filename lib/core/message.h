// SPDX-License-Identifier: BSD-3-Clause
//
// A message is a row of a table in lib/core/messages, which has its text and what
// docs/troubleshooting.md says of it. Code names the row, so that no sentence stands in code or in
// tests. Number and types of the values are checked by the compiler, as those of fmt::format are.
#ifndef ROOFMARK_LIB_CORE_MESSAGE_H_
#define ROOFMARK_LIB_CORE_MESSAGE_H_

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace roofmark {

struct Message {
  std::string_view text;  // a format string of fmt
};

// A message whose text takes `Values`.
template <typename... Values>
class MessageFor {
 public:
  FMT_CONSTEVAL MessageFor(const Message& message)  // NOLINT: implicit on purpose
      : format_(message.text) {}
  fmt::string_view text() const { return format_; }

 private:
  fmt::format_string<Values...> format_;
};

// The sentence, for who passes it on: a reason, a warning of a file.
template <typename... Values>
std::string InWords(MessageFor<std::type_identity_t<Values>...> message, const Values&... values) {
  return fmt::vformat(message.text(), fmt::make_format_args(values...));
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_MESSAGE_H_
