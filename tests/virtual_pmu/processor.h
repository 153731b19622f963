// SPDX-License-Identifier: BSD-3-Clause
//
// Instructions that must answer for the described machine: CPUID in libpfm, RDPMC everywhere. Both
// are emulated in signal handlers.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_PROCESSOR_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_PROCESSOR_H_

#include <signal.h>

#include <cstdint>

namespace vpmu {

// Installs the handlers and replaces CPUID in the libraries that are loaded. Once.
void StartProcessor();

// Why an instruction is not emulated; null if it is.
const char* NoCpuid();
const char* NoRdpmc();
uint64_t CountRdpmc();

// For sigaction(): a program's own handler of a signal that we use comes after ours. False if the
// signal is none of ours.
bool ChainHandler(int signal, const struct sigaction* action, struct sigaction* old);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_PROCESSOR_H_
