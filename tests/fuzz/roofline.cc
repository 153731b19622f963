// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a roofline file.
#include <vector>

#include "lib/model/machine_json.h"
#include "tests/fuzz/reports.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<RooflineFile> file = RooflineFromJson(fuzz::Text(data, size), "F");
  if (!file) return 0;
  fuzz::DemandReadable(*file);
  std::vector<Machine> machines;
  for (const std::string& json : file->machines) {
    if (Result<Machine> machine = MachineFromJson(json, "F")) machines.push_back(*machine);
  }
  fuzz::Report(file->job, machines);
  return 0;
}
