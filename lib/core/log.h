// SPDX-License-Identifier: BSD-3-Clause
//
// The only way the library speaks: whole lines "roofmark: ..." on stderr, by one process of a job,
// each different line once.
#ifndef ROOFMARK_LIB_CORE_LOG_H_
#define ROOFMARK_LIB_CORE_LOG_H_

#include <string>
#include <string_view>

namespace roofmark {

// Thread-safe. Set once at start: only the speaker prints, and notes only when not quiet.
void SetSpeaker(bool speaks, bool quiet) noexcept;

// For information that a quiet run does not want.
void Note(std::string_view sentence) noexcept;
// For what went wrong.
void Complain(std::string_view sentence) noexcept;
// What was complained about, in order: it goes into the file too.
std::string ComplaintsAsLines();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LOG_H_
