// SPDX-License-Identifier: BSD-3-Clause
//
// How the values of one path spread over the ranks, as it stands in a roofline file.
#ifndef ROOFMARK_LIB_PROFILE_SPREAD_JSON_H_
#define ROOFMARK_LIB_PROFILE_SPREAD_JSON_H_

#include "lib/profile/json_document.h"
#include "lib/profile/profile.h"

namespace roofmark {

// The spreads of a path by the names of their measures; empty if it has none.
Json WriteSpreads(const JobProfile& job, size_t row);
// Appends the kSpreads spreads of one path to `job.spreads`, and the hosts that they name.
void ReadSpreads(const JsonNode& node, JobProfile& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_SPREAD_JSON_H_
