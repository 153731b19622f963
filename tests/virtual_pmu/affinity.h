// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_AFFINITY_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_AFFINITY_H_

namespace vpmu {

// Reads VPMU_CPUS: which CPUs of the virtual machine this process says that it runs on.
void ReadAffinity();

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_AFFINITY_H_
