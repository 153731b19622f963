// SPDX-License-Identifier: BSD-3-Clause
//
// What a job may use of its nodes' CPUs, and who says so.
#ifndef ROOFMARK_LIB_REPORT_CPU_WORDS_H_
#define ROOFMARK_LIB_REPORT_CPU_WORDS_H_

#include <string>

#include "lib/profile/profile.h"

namespace roofmark {

// "1.5 CPUs", "1 CPU".
std::string CpuTime(double cpus);

// One line; of several nodes, what the least and the most of them leave the job. Empty where files
// do not tell.
std::string UsableCpus(const RunInfo& run);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CPU_WORDS_H_
