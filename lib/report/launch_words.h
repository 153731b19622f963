// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines for the launcher that started a job.
#ifndef ROOFMARK_LIB_REPORT_LAUNCH_WORDS_H_
#define ROOFMARK_LIB_REPORT_LAUNCH_WORDS_H_

#include <cstddef>
#include <string>

#include "lib/profile/profile.h"

namespace roofmark {

// A name of launcher_table.h; empty for others, and without one.
std::string LauncherOf(const RunInfo& run);

// The command, in quotes, that measures the machine of one of the job's hosts, into the file that
// is found by the kind of node: "`srun -w n3 -N1 -n1 --cpus-per-task=64 roofmark machine -o ...`".
std::string MeasureCommand(const RunInfo& run, size_t host);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LAUNCH_WORDS_H_
