// SPDX-License-Identifier: BSD-3-Clause
//
// Findings about accelerators.
#ifndef ROOFMARK_COMMAND_DOCTOR_GPU_FINDINGS_H_
#define ROOFMARK_COMMAND_DOCTOR_GPU_FINDINGS_H_

#include <string>

#include "collectors/cupti/driver.h"
#include "collectors/cupti/surroundings.h"
#include "command/doctor/finding.h"

namespace roofmark::cli {

// NVIDIA's GPUs of this machine, and whether ROOFMARK_COLLECTOR=cupti can count on them.
Findings FindGpus();
// The same of what is known already. `cupti_error`: why CUPTI cannot be loaded; empty: it was, from
// `cupti_file`. `privileged`: this user has the rights of an administrator.
Findings DescribeGpus(const cupti::DriverFacts& driver, const std::string& cupti_error,
                      const std::string& cupti_file, bool privileged);

// What around a process can hide GPUs or keep it from their counters; empty: nothing does.
Findings DescribeSurroundings(const cupti::Surroundings& surroundings);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_GPU_FINDINGS_H_
