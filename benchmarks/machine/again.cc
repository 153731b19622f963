// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/again.h"

#include <algorithm>

namespace roofmark {
namespace {

bool Serves(const MeasureTask& task, const DoubtfulPoint& point) {
  return task.id == point.id && task.on.cores() == point.cores &&
         task.on.packages == point.packages;
}

}  // namespace

EarlierSamples ForgetContradictory(const std::vector<FigureContradiction>& contradictions,
                                   std::vector<MeasureTask>& tasks) {
  EarlierSamples earlier;
  for (size_t i = 0; i < tasks.size(); ++i) {
    MeasureTask& task = tasks[i];
    const bool doubtful = std::any_of(
        contradictions.begin(), contradictions.end(),
        [&task](const auto& each) { return Serves(task, each.low) || Serves(task, each.high); });
    if (!doubtful || task.rates.empty()) continue;
    earlier.emplace_back(i, task);
    task.rates = task.clock = Series();
    task.repeats = 0;  // calibrated under the same load, perhaps
    task.settled = false;
  }
  return earlier;
}

void RestoreUnmeasured(const EarlierSamples& earlier, size_t enough,
                       std::vector<MeasureTask>& tasks) {
  for (const auto& [index, task] : earlier) {
    const Series& again = tasks[index].rates;
    const bool is_less = again.accepted() < std::min(task.rates.accepted(), enough);
    if (again.empty() || is_less) tasks[index] = task;
  }
}

}  // namespace roofmark
