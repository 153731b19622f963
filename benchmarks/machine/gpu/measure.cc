// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/machine/gpu/sample.h"
#include "lib/core/file.h"
#include "lib/model/device_peaks.h"

namespace roofmark {
namespace {

using gpu::SamplePlan;
using gpu::Session;
using gpu::Task;

constexpr size_t kImageBytes = 64 << 20;

SamplePlan SamplesOf(Effort effort) {
  switch (effort) {
    case Effort::kQuick:
      return {0.002, 5};
    case Effort::kFull:
      return {0.01, 40};
    case Effort::kDefault:
      break;
  }
  return {0.005, 12};
}

// Where the ceiling of this id belongs: behind those of the same, measured in another way, else at
// the end.
auto PlaceOf(const std::string& id, std::vector<GpuCeiling>& ceilings) {
  const std::string same = id.substr(0, id.rfind('.'));
  const bool alone = same.find('.') == std::string::npos;
  const auto first = std::find_if(ceilings.begin(), ceilings.end(), [&](const GpuCeiling& each) {
    return !alone && IsOrBelow(each.id, same);
  });
  return std::find_if(first, ceilings.end(),
                      [&](const GpuCeiling& each) { return !IsOrBelow(each.id, same); });
}

void Keep(const Task& task, const GpuPoint& point, GpuMachine& machine) {
  std::vector<GpuCeiling>& ceilings = machine.ceilings;
  auto at = std::find_if(ceilings.begin(), ceilings.end(),
                         [&](const GpuCeiling& ceiling) { return ceiling.id == task.id; });
  if (at == ceilings.end()) {
    const double sheet = DataSheetOf(task.id, machine.properties);
    at = ceilings.insert(PlaceOf(task.id, ceilings), {task.id, task.label, task.unit, {}, sheet});
  }
  at->curve.push_back(point);
}

class Measuring {
 public:
  Measuring(const gpu::Driver& driver, const std::string& image, const MeasureOptions& options,
            Progress& progress)
      : driver_(driver), image_(image), options_(options), progress_(progress) {}

  GpuMachine Device(int index, int devices) {
    Session session(driver_, index, image_);
    GpuMachine machine = session.described();
    gpu::Arrays arrays;
    if (session.Ok() && gpu::MakeArrays(session, arrays)) {
      Ceilings(session, arrays, index, devices, machine);
    }
    if (!session.Ok())
      machine.warnings.push_back("not measured from there on: " + session.failed());
    return machine;
  }

 private:
  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void Ceilings(Session& session, const gpu::Arrays& arrays, int index, int devices,
                GpuMachine& machine) {
    const std::vector<Task> tasks = gpu::TasksOf(session, arrays, machine.warnings);
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (Stopped()) {
        machine.warnings.emplace_back("interrupted: not all was measured");
        return;
      }
      const double share = static_cast<double>(i) / static_cast<double>(tasks.size());
      progress_.Update((index + share) / devices, 0,
                       fmt::format("GPU {}: {}", index, tasks[i].label));
      std::string wrong;
      const auto point = gpu::Sample(session, arrays, SamplesOf(options_.effort), tasks[i], wrong);
      if (point) Keep(tasks[i], *point, machine);
      if (!wrong.empty()) machine.warnings.push_back(wrong);
      if (!session.Ok()) return;
    }
  }

  const gpu::Driver& driver_;
  const std::string& image_;
  const MeasureOptions& options_;
  Progress& progress_;
};

}  // namespace

Result<std::vector<GpuMachine>> MeasureGpus(const std::string& image, const MeasureOptions& options,
                                            Progress& progress) {
  const auto code = image.empty() ? Result<std::string>(Error{"this roofmark was built without "
                                                              "nvcc: it has no kernels for GPUs"})
                                  : ReadFile(image, kImageBytes);
  if (!code) return Error{code.error()};
  const auto driver = gpu::OpenDriver();
  if (!driver) return Error{driver.error()};
  int devices = 0;
  if (const int result = driver->device_count(&devices); result != 0) {
    return Error{gpu::ExplainCall(*driver, "cuDeviceGetCount", result)};
  }
  if (devices == 0) return Error{"the driver lists no GPU here"};
  std::vector<GpuMachine> machines;
  Measuring measuring(*driver, *code, options, progress);
  for (int i = 0; i < devices; ++i) machines.push_back(measuring.Device(i, devices));
  if (driver->no_nvml.empty()) driver->nvml_shutdown();
  return machines;
}

}  // namespace roofmark
