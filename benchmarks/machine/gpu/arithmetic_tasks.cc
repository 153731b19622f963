// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/machine/gpu/kernel_table.h"
#include "benchmarks/machine/gpu/task.h"

namespace roofmark::gpu {
namespace {

constexpr uint32_t kBlockWarps = kBlockThreads / kWarpThreads;
constexpr uint32_t kWays[] = {1, 2, 4, 8, 16, 32};

Task TaskOf(Session& session, const Arrays& arrays, const ArithmeticKernel& kernel,
            Function function, uint32_t blocks_of_each) {
  Task task;
  task.id = kernel.id;
  task.label = kernel.label;
  task.unit = kernel.unit;
  task.function = function;
  task.grid = session.OnMultiprocessors(function, blocks_of_each);
  const uint32_t multiprocessors = session.described().properties.multiprocessors;
  task.warps = task.grid.blocks / multiprocessors * kBlockWarps;
  task.amount = kernel.work * task.grid.blocks * kBlockThreads;
  task.arguments.verdict = arrays.verdict;
  task.arguments.start = kernel.start;
  task.arguments.x = kernel.x;
  task.arguments.y = kernel.y;
  task.arguments.option = 1;
  return task;
}

void AddKernels(Session& session, const Arrays& arrays, bool on_one_capability,
                std::vector<Task>& tasks, std::vector<std::string>& left_out) {
  const DeviceProperties& properties = session.described().properties;
  const uint32_t capability = 10 * properties.major + properties.minor;
  const uint32_t most = session.threads_of_multiprocessor() / kBlockThreads;
  for (const ArithmeticKernel& kernel : ArithmeticKernels()) {
    if (kernel.on_that_alone != on_one_capability) continue;
    if (capability < kernel.least_capability) continue;
    if (on_one_capability && capability != kernel.least_capability) continue;
    const Function function = session.Find(kernel.kernel);
    if (function == nullptr) {
      left_out.push_back(fmt::format("{}: its kernel is not there", kernel.id));
      continue;
    }
    if (kernel.by_ways) {
      for (const uint32_t ways : kWays) {
        Task task = TaskOf(session, arrays, kernel, function, most);
        task.id += fmt::format(".{}_ways", ways);
        task.label = fmt::format(fmt::runtime(kernel.label), ways);
        task.arguments.option = ways;
        tasks.push_back(task);
      }
      continue;
    }
    // More blocks than there are registers for are as many as fit: one point for each number.
    uint32_t last = 0;
    for (uint32_t blocks = kernel.by_occupancy ? 1 : most; blocks <= most; blocks *= 2) {
      Task task = TaskOf(session, arrays, kernel, function, blocks);
      if (task.warps > last) tasks.push_back(task);
      last = std::max(last, task.warps);
    }
  }
}

}  // namespace

void AddArithmetic(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                   std::vector<std::string>& left_out) {
  AddKernels(session, arrays, false, tasks, left_out);
}

void AddAsynchronous(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
                     std::vector<std::string>& left_out) {
  AddKernels(session, arrays, true, tasks, left_out);
}

}  // namespace roofmark::gpu
