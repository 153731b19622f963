// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/recorded_job.h"

#include <cstdio>
#include <cstdlib>

#include "lib/core/file.h"
#include "lib/core/limits.h"
#include "lib/model/machine_json.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::test {
namespace {

template <class Type>
Type TakeOrEnd(Result<Type> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().c_str());
  std::abort();
}

}  // namespace

ReportJob RecordedJob(const std::string& name) {
  const std::string file_name = name + ".json";
  const std::string path = std::string(ROOFMARK_RECORDED_DIR "/") + file_name;
  const std::string text = TakeOrEnd(ReadFile(path, limits::kRooflineBytes));
  RooflineFile file = TakeOrEnd(RooflineFromJson(text, path));
  std::vector<Machine> machines;
  for (const std::string& json : file.machines) {
    machines.push_back(TakeOrEnd(MachineFromJson(json, path)));
  }
  JobAnalysis analysis = Analyze(file.job, machines);
  return {file_name, std::move(file.job), std::move(analysis), incore::ViewLoops(file.hot)};
}

}  // namespace roofmark::test
