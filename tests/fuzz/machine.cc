// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a machine file.
#include "lib/model/machine.h"

#include "lib/model/machine_json.h"
#include "lib/report/report.h"
#include "tests/fuzz/input.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<Machine> machine = MachineFromJson(fuzz::Text(data, size), "F");
  if (!machine) return 0;
  const Result<Machine> again = MachineFromJson(MachineToJson(*machine), "F");
  fuzz::Demand(static_cast<bool>(again), again ? "" : again.error());
  RenderMachine(*machine, {});
  RenderMachineSvg(*machine);
  for (const CeilingCurve& ceiling : machine->ceilings) {
    for (const double cores : {0.0, 0.5, 3.0, 1e9}) ValueAt(ceiling, cores, 2);
  }
  PackagesOf(*machine, machine->cpuset);
  return 0;
}
