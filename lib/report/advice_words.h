// SPDX-License-Identifier: BSD-3-Clause
//
// Advice and waiting as sentences. No full stops.
#ifndef ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_
#define ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_

#include <string>

#include "lib/model/advice.h"
#include "lib/model/waiting.h"

namespace roofmark {

// "SIMD: 1.2 of 8 lanes used; vectorising is worth up to 3.9x".
std::string AdviceSentence(const Ceiling& ceiling, const RuntimeModel& region);
std::string AdviceSentence(const Advice& advice, const JobAnalysis& analysis);

// "DRAM binds; moving right (more FLOPs per byte) is worth at most 2.1x, moving up gains nothing",
// or empty.
std::string MovesSentence(const RuntimeModel& region);

// What the region waits for; empty where it does not wait.
std::string WaitingSentence(const Waiting& waiting);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_ADVICE_WORDS_H_
