// SPDX-License-Identifier: BSD-3-Clause
//
// Every kernel that this CPU (or its emulation) runs computes what it must. Needs no test library,
// so that it can be built for another architecture. Prints what it ran; the status is 0 if all is
// right.
#include <cstdio>
#include <vector>

#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/memory_load.h"

namespace {

using namespace roofmark;

int Report(const char* what, const char* kind, unsigned lanes, unsigned one_in, bool right) {
  std::printf("%s %s lanes %u, 1 of %u: %s\n", what, kind, lanes, one_in, right ? "ok" : "WRONG");
  return right ? 0 : 1;
}

int CheckCompute() {
  int wrong = 0;
  std::vector<double> results(ComputeKernel::kMostResults);
  for (const ComputeKernel& kernel : ComputeKernels()) {
    kernel.run(500, results.data());
    wrong += Report(InfoOf(kernel.arithmetic).name.data(), ComputeKindName(kernel.kind).data(),
                    kernel.lanes, kernel.one_in, CheckResults(kernel, 500, results.data()));
  }
  return wrong;
}

int CheckMemory() {
  int wrong = 0;
  for (int kind = 0; kind <= static_cast<int>(MemoryKind::kTriadPrefetch); ++kind) {
    const MemoryKernel kernel{static_cast<MemoryKind>(kind), 1024};
    MemoryLoad load(kernel, 300 << 10, 1);
    if (!load.Prepare(0)) return wrong + 1;
    load.Run(0, 3);
    wrong += Report("memory", GetInfo(kernel.kind).name.data(), 0, 1, load.Check(0));
  }
  return wrong;
}

}  // namespace

int main() { return CheckCompute() + CheckMemory() == 0 ? 0 : 1; }
