// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a roofline file.
#include "lib/model/machine_json.h"
#include "tests/fuzz/reports.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<RooflineFile> file = RooflineFromJson(fuzz::Text(data, size), "F");
  if (!file) return 0;
  fuzz::DemandReadable(*file);
  const Result<Machine> machine = MachineFromJson(file->machine_json, "F");
  fuzz::Report(file->job, machine ? &*machine : nullptr);
  return 0;
}
