// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_PRIVILEGE_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_PRIVILEGE_H_

namespace vpmu {

// The machine's perf_event_paranoid, the same for all processes of the state.
int Paranoid();
// Has this process CAP_PERFMON?
bool IsPrivileged();

void SetParanoid(int level);
void SetPrivileged(bool privileged);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_PRIVILEGE_H_
