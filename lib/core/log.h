// SPDX-License-Identifier: BSD-3-Clause
//
// The only way the library speaks: whole lines "roofmark: ..." on stderr, by one process of a job,
// each different line once.
#ifndef ROOFMARK_LIB_CORE_LOG_H_
#define ROOFMARK_LIB_CORE_LOG_H_

#include <string>
#include <string_view>

namespace roofmark {

// Lines go to what stderr is now, and to nothing else: an application that closes it may get the
// number back for a file of data. Without this call the first line decides.
void OpenLog() noexcept;

// Thread-safe. Set once at start: only the speaker prints, and notes only when not quiet.
void SetSpeaker(bool speaks, bool quiet) noexcept;

// For information that a quiet run does not want.
void Note(std::string_view sentence) noexcept;
// For what went wrong.
void Complain(std::string_view sentence) noexcept;
// The same at once, for a thread that may hold locks of this library: without a lock, and without
// memory. `line` is whole: "roofmark: ...\n".
void ComplainInHandler(std::string_view line) noexcept;
// What was complained about, in order: it goes into the file too.
std::string ComplaintsAsLines();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LOG_H_
