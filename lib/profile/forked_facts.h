// SPDX-License-Identifier: BSD-3-Clause
//
// Facts of a pass (PassInfo::facts) that a forked process made.
#ifndef ROOFMARK_LIB_PROFILE_FORKED_FACTS_H_
#define ROOFMARK_LIB_PROFILE_FORKED_FACTS_H_

namespace roofmark {

// The number of the process that it was forked from, its own, and when its recording began, in
// seconds of a clock that both have.
inline constexpr const char* kForkedFromFact = "forked_from";
inline constexpr const char* kForkedProcessFact = "forked_process";
inline constexpr const char* kForkedAtFact = "forked_at_s";

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_FORKED_FACTS_H_
