// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_START_CPUS_H_
#define ROOFMARK_LIB_CORE_START_CPUS_H_

#include <string>

namespace roofmark {

// The CPUs that the launcher, or the user, allowed this process, as a list ("0-3,8"): those of its
// first thread before any library's constructor was executed. Runtimes of OpenMP bind that thread
// in theirs (OMP_PROC_BIND, GOMP_CPU_AFFINITY). Empty if they could not be read. A library that was
// opened later knows those of the thread that opened it.
std::string StartCpuList();

// The calling thread is allowed these again, for a program that is executed in place of this one.
// False: it has other ones still.
bool ReturnToStartCpus() noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_START_CPUS_H_
