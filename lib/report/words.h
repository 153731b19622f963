// SPDX-License-Identifier: BSD-3-Clause
//
// The words for what lib/model says by ids: why a number is missing, what a ceiling is called, what
// proves that a region has passed one. No full stops.
#ifndef ROOFMARK_LIB_REPORT_WORDS_H_
#define ROOFMARK_LIB_REPORT_WORDS_H_

#include <string>

#include "lib/model/ceiling.h"
#include "lib/model/reason.h"
#include "lib/model/runtime_ceilings.h"

namespace roofmark {

// "the machine file has no clock: measure with `roofmark machine`"; empty for Reason::kNone.
std::string ReasonText(const Why& why);

// "DRAM no affinity", "1/4 of instructions FP", "its own SIMD", "dp peak + sp without FMA".
std::string CeilingName(const Ceiling& ceiling);

// "4.0 lanes used"; empty where nothing was proved.
std::string ProofText(const Proof& proof);

// What a ceiling of a mix, or a region's gains, leave out; empty if nothing.
std::string NoteText(MixNote note);
std::string NoteText(RuntimeNote note);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_WORDS_H_
