// SPDX-License-Identifier: BSD-3-Clause
//
// When the scheduler will end the job in which this command runs, as far as it says so.
#ifndef ROOFMARK_COMMAND_RUN_JOB_END_H_
#define ROOFMARK_COMMAND_RUN_JOB_END_H_

#include <cstdint>
#include <optional>
#include <string>

#include "command/run/expectation.h"

namespace roofmark::cli {

// Seconds from `now_unix_s` to the end that SLURM_JOB_END_TIME tells; nothing without one, and
// where it has passed: the limit was extended since.
std::optional<double> SecondsToJobEnd(const char* end_time, uint64_t now_unix_s);

// The same of this process, now.
std::optional<double> LeftOfJob();

// A sentence where the work pass, or another execution, may not be over by then; else empty.
std::string WhyJobIsTooShort(const Expectation& expectation, std::optional<double> left_s,
                             bool is_work);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_JOB_END_H_
