// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a roofline file.
#include <vector>

#include "lib/incore/llvm_mca.h"
#include "lib/model/machine_json.h"
#include "lib/report/loops_text.h"
#include "tests/fuzz/reports.h"

using namespace roofmark;

namespace {

void ShowLoops(const RooflineFile& file) {
  const ReportJob job = {"F", file.job, {}, incore::ViewLoops(file.hot)};
  const std::string text = RenderLoopList(job.loops) + RenderLoops(job, job.loops, "");
  fuzz::Demand(PrintableLines(text) == text, "loops are printable");
  for (const incore::LoopView& view : job.loops.loops) incore::AssemblerText(view);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<RooflineFile> file = RooflineFromJson(fuzz::Text(data, size), "F");
  if (!file) return 0;
  fuzz::DemandReadable(*file);
  std::vector<Machine> machines;
  for (const std::string& json : file->machines) {
    if (Result<Machine> machine = MachineFromJson(json, "F")) machines.push_back(*machine);
  }
  fuzz::Report(file->job, machines);
  ShowLoops(*file);
  return 0;
}
