// SPDX-License-Identifier: BSD-3-Clause
//
// What is said of visits that began behind MPI_Finalize. Their profile has visits alone, and is
// never a part of the job's.
#ifndef ROOFMARK_LIB_PROFILE_LATE_PROFILE_H_
#define ROOFMARK_LIB_PROFILE_LATE_PROFILE_H_

#include <cstdint>
#include <map>
#include <string>

#include "lib/profile/profile.h"

namespace roofmark {

// Of the rank that `run` describes: a row for each name.
JobProfile LateProfile(RunInfo run, const std::map<std::string, uint64_t>& visits);

// How many of which regions, on which ranks, and the cure: a sentence for stderr and the file.
std::string DescribeLate(const JobProfile& late);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_LATE_PROFILE_H_
