// SPDX-License-Identifier: BSD-3-Clause
//
// Texts as a program may pass them, for tests of everything that takes names.
#ifndef ROOFMARK_TESTS_LIB_PROFILE_ANY_TEXT_H_
#define ROOFMARK_TESTS_LIB_PROFILE_ANY_TEXT_H_

#include <iterator>
#include <random>
#include <string>

namespace roofmark::test {

// Pieces of UTF-8, of what looks like it, of markup, and of what separates.
inline std::string AnyText(std::mt19937_64& random) {
  using namespace std::string_literals;
  static const auto& pieces = *new std::string[24]{"",
                                                   " ",
                                                   "/",
                                                   "\\",
                                                   "a",
                                                   "solve",
                                                   "\xC3\xA9",
                                                   "\xE2\x82\xAC",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\xE2\x82",
                                                   "\xED\xA0\x80",
                                                   "\xC2\x9B",
                                                   "\x1B[",
                                                   "\n",
                                                   "\t",
                                                   "\0"s,
                                                   "\x7F",
                                                   "<script>",
                                                   "]]>",
                                                   "\"'&",
                                                   "=1+1",
                                                   "\xE2\x80\xAE",
                                                   "\xF0\x9F\x94\xA5"};
  std::string text;
  const size_t count = random() % 64 == 0 ? random() % 400 : random() % 6;
  for (size_t i = 0; i < count; ++i) text += pieces[random() % 24];
  return text;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_PROFILE_ANY_TEXT_H_
