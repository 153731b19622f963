// SPDX-License-Identifier: BSD-3-Clause
//
// The only way the library speaks: whole lines "roofmark: ..." on stderr, by one process of a job,
// each different line once.
#ifndef ROOFMARK_LIB_CORE_LOG_H_
#define ROOFMARK_LIB_CORE_LOG_H_

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "lib/core/message.h"

namespace roofmark {

// Lines go to what stderr is now, and to nothing else: an application that closes it may get the
// number back for a file of data. Without this call the first line decides.
void OpenLog() noexcept;

// Thread-safe. Set once at start: only the speaker prints, and notes only when not quiet.
void SetSpeaker(bool speaks, bool quiet) noexcept;

// For information that a quiet run does not want.
void Note(std::string_view sentence) noexcept;
// For what went wrong, a sentence that was made elsewhere: a reason that a function returned.
void PassOn(std::string_view sentence) noexcept;
// The same for a message. Without values its text is said as it is.
void ComplainFormatted(fmt::string_view text, fmt::format_args values) noexcept;
template <typename... Values>
void Complain(MessageFor<std::type_identity_t<Values>...> message,
              const Values&... values) noexcept {
  if constexpr (sizeof...(Values) == 0) {  // where memory is short, this needs least of it
    PassOn({message.text().data(), message.text().size()});
  } else {
    ComplainFormatted(message.text(), fmt::make_format_args(values...));
  }
}
// A message without values, said at once by a thread that may hold locks of this library: without a
// lock, and without memory. Text beyond kLongestInHandler is cut off.
inline constexpr size_t kLongestInHandler = 480;
void ComplainInHandler(const Message& message) noexcept;
// What was complained about, in order: it goes into the file too.
std::string ComplaintsAsLines();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LOG_H_
