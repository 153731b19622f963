// SPDX-License-Identifier: BSD-3-Clause
//
// What the subcommands print, and what they say. Standard output is checked: whatever was lost is
// an error of the command. Standard error is not: where nobody listens, the exit status remains.
#ifndef ROOFMARK_COMMAND_OUTPUT_H_
#define ROOFMARK_COMMAND_OUTPUT_H_

#include <fmt/core.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "lib/core/message.h"

namespace roofmark::cli {

// Before anything else in main. The numbers of streams that are closed are taken, so that no file
// becomes standard output. A closed pipe is an error code from here on, and no signal.
void TakeStreams();
// In a child, before it executes another program: undoes TakeStreams.
void HandBackStreams();

// Adds `text` to standard output; FlushOutput, PassOn and FinishOutput write it. On a terminal it
// cannot but be read: what would control that is shown (lib/core/terminal_text.h).
void Print(std::string_view text);
void PrintFormatted(fmt::string_view format, fmt::format_args values);
template <typename T, typename... More>
void Print(fmt::format_string<T, More...> format, T&& value, More&&... more) {
  PrintFormatted(format, fmt::make_format_args(value, more...));
}
// Marks of tones (lib/core/tone.h) in what is printed become colours, until it is said otherwise.
void UseTones(bool use);
// Begins a new page on a terminal; nothing elsewhere.
void ClearTerminal();
// Of the terminal; `otherwise` where standard output is none.
size_t TerminalColumns(size_t otherwise);
// False: standard output took not everything, now or before. FinishOutput says so.
bool FlushOutput();

// "roofmark: <sentence>" on standard error, after what was printed: a sentence that was made
// elsewhere. Needs no memory if there is nothing in it that would control a terminal.
void PassOn(std::string_view sentence);
// The same for a message. Without values its text is said as it is.
void SayFormatted(fmt::string_view text, fmt::format_args values);
template <typename... Values>
void Say(MessageFor<std::type_identity_t<Values>...> message, const Values&... values) {
  if constexpr (sizeof...(Values) == 0) {
    PassOn({message.text().data(), message.text().size()});
  } else {
    SayFormatted(message.text(), fmt::make_format_args(values...));
  }
}

// The command's exit status, from `status` without output: another one if some output was lost. A
// reader that went away (`| head`) is no reason for a message; the status is then that of SIGPIPE.
int FinishOutput(int status);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_OUTPUT_H_
