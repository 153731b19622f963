// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "benchmarks/machine/statistics.h"

namespace roofmark::gpu {
namespace {

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : Quantile(values, 0.5);
}

class Sampling {
 public:
  Sampling(Session& session, const Arrays& arrays, Task& task, std::string& wrong)
      : session_(session), arrays_(arrays), task_(task), wrong_(wrong) {}

  // Seconds of so many iterations, checked. nullopt: see Sample().
  std::optional<double> Run(uint32_t iterations, Held& held) {
    double seconds = 0;
    if (!session_.Fill(arrays_.verdict, 0, sizeof(Verdict)) || !session_.Synchronize() ||
        !session_.Begin() || !Enqueue(iterations) || !session_.End(seconds, held)) {
      return std::nullopt;
    }
    if (task_.function != nullptr && !Right()) return std::nullopt;
    return seconds;
  }

  // a was written: it must be full of the word again.
  bool WrittenRight() {
    task_.function = session_.Find("read");
    task_.arguments.iterations = 1;
    if (!session_.Fill(arrays_.verdict, 0, sizeof(Verdict))) return false;
    return session_.Launch(task_.function, task_.grid, task_.arguments) && Right();
  }

 private:
  using Verdict = std::array<uint32_t, 2>;

  bool Enqueue(uint32_t iterations) {
    if (task_.function == nullptr) return task_.enqueue(session_, iterations, wrong_);
    task_.arguments.iterations = iterations;
    return session_.Launch(task_.function, task_.grid, task_.arguments);
  }

  bool Right() {
    Verdict verdict = {};
    if (!session_.ToHost(verdict.data(), arrays_.verdict, sizeof verdict) ||
        !session_.Synchronize()) {
      return false;
    }
    if (verdict[0] > 0) {
      wrong_ = fmt::format("{}: {} threads have a wrong result", task_.id, verdict[0]);
    } else if (verdict[1] != task_.grid.blocks) {
      wrong_ = fmt::format("{}: {} of {} blocks ended", task_.id, verdict[1], task_.grid.blocks);
    }
    return wrong_.empty();
  }

  Session& session_;
  const Arrays& arrays_;
  Task& task_;
  std::string& wrong_;
};

// So many iterations that a sample takes its time; they also warm the device up.
std::optional<uint32_t> Calibrate(Sampling& sampling, const SamplePlan& plan, uint32_t most) {
  constexpr double kMostGrowth = 16;
  for (uint32_t iterations = 1;;) {
    Held held;
    const auto seconds = sampling.Run(iterations, held);
    if (!seconds) return std::nullopt;
    if (*seconds >= plan.seconds || iterations == most) return iterations;
    const double wanted = *seconds > 0 ? 1.1 * plan.seconds / *seconds : kMostGrowth;
    const double next = std::ceil(iterations * std::min(wanted, kMostGrowth));
    iterations = static_cast<uint32_t>(std::min<double>(std::max(next, iterations + 1.0), most));
  }
}

}  // namespace

std::optional<GpuPoint> Sample(Session& session, const Arrays& arrays, const SamplePlan& plan,
                               Task task, std::string& wrong) {
  if (task.prepare && !task.prepare(session)) return std::nullopt;
  if (task.writes_a && !session.Fill(arrays.a, 0, arrays.bytes)) return std::nullopt;
  Sampling sampling(session, arrays, task, wrong);
  const auto iterations = Calibrate(sampling, plan, task.most_iterations);
  if (!iterations) return std::nullopt;
  Series series;
  std::vector<double> clocks, powers;
  for (uint32_t i = 0; i < plan.samples; ++i) {
    Held held;
    const auto seconds = sampling.Run(*iterations, held);
    if (!seconds) return std::nullopt;
    if (!(*seconds > 0)) {
      wrong = fmt::format("{}: events of the driver lie at the same time", task.id);
      return std::nullopt;
    }
    const double all = task.amount * *iterations;
    series.Add(task.IsTime() ? *seconds / all * 1e9 : all / *seconds * 1e-9, true);
    clocks.push_back(held.ghz);
    powers.push_back(held.watts);
  }
  if (task.writes_a && !sampling.WrittenRight()) return std::nullopt;
  if (task.check && !task.check(session, wrong)) return std::nullopt;
  const MachinePoint summary = series.Summary();
  GpuPoint point{task.warps,      summary.value, summary.median,   summary.min,     summary.max,
                 summary.samples, summary.noise, MedianOf(clocks), MedianOf(powers)};
  if (task.IsTime()) point.value = point.median;
  return point;
}

}  // namespace roofmark::gpu
