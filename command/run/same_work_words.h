// SPDX-License-Identifier: BSD-3-Clause
//
// What is said of whether all executions of a program did as much.
#ifndef ROOFMARK_COMMAND_RUN_SAME_WORK_WORDS_H_
#define ROOFMARK_COMMAND_RUN_SAME_WORK_WORDS_H_

#include <string>

#include "lib/found/same_work.h"
#include "lib/profile/profile.h"

namespace roofmark::cli {

// A sentence; empty where they differ.
std::string DescribeWork(const SameWork& work);

// Of regions whose counts are not shown because they differ. What was scaled JoinPasses() says.
void WarnOf(const SameWork& work, JobProfile& job);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_SAME_WORK_WORDS_H_
