// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines that messages tell users to type: what they are filled with may be any name of a
// file or a host, in files from elsewhere, too.
#ifndef ROOFMARK_LIB_CORE_SHELL_WORD_H_
#define ROOFMARK_LIB_CORE_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace roofmark {

// As a shell reads it back to this one word: as it stands, or in quotes. What Printable() would
// change is written as $'\033', which bash, zsh and ksh know.
std::string ShellWord(std::string_view word);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SHELL_WORD_H_
