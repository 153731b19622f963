// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/sampler.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "lib/core/frequency.h"

namespace roofmark {

Sampler::Sample Sampler::Take(MeasureTask& task, uint64_t repeats) {
  Load& load = *task.load;
  std::vector<double> ghz(task.on.cores());
  const auto timings = team_.Time(
      task.on.workers, [&](uint32_t rank) { load.Warm(rank, repeats); },
      [&](uint32_t rank) { load.Run(rank, repeats); },
      [&](uint32_t rank) { ghz[rank] = CoreGhz(); });
  const double mean = std::accumulate(ghz.begin(), ghz.end(), 0.0) / task.on.cores();
  return {WallSeconds(timings), mean, Undisturbed(timings)};
}

// Doubles until a sample takes a good part of the wanted time, then scales. The best of two at the
// end: one preempted try would make all samples too short.
void Sampler::Calibrate(MeasureTask& task) {
  uint64_t repeats = 1;
  double seconds = 0;
  const uint64_t most = task.load->MostRepeats();
  for (;; repeats *= 2) {
    seconds = Take(task, repeats).seconds;
    if (seconds >= sample_seconds_ / 8 || 2 * repeats > most) break;
  }
  seconds = std::min(seconds, Take(task, repeats).seconds);
  const double scaled = static_cast<double>(repeats) * sample_seconds_ / std::max(seconds, 1e-9);
  task.repeats = std::clamp<uint64_t>(static_cast<uint64_t>(scaled), 1, most);
}

void Sampler::Round(MeasureTask& task, uint32_t samples) {
  Load& load = *task.load;
  std::atomic<bool> prepared{true}, right{true};
  team_.Run(task.on.workers, [&](uint32_t rank) {
    if (!load.Prepare(rank)) prepared = false;
  });
  if (prepared) {
    if (task.repeats == 0) Calibrate(task);
    const double work = load.WorkPerRepeat() * task.on.cores() * 1e-9;
    for (uint32_t i = 0; i < samples; ++i) {
      Sample sample = Take(task, task.repeats);
      // A disturbed calibration: too short a sample shows its ends more than its middle.
      if (sample.seconds < sample_seconds_ / 2 && task.repeats < load.MostRepeats()) {
        Calibrate(task);
        sample = Take(task, task.repeats);
      }
      task.rates.Add(work * static_cast<double>(task.repeats) / sample.seconds, sample.undisturbed);
      task.clock.Add(sample.ghz, sample.undisturbed);
    }
  } else {
    task.no_memory = true;
  }
  team_.Run(task.on.workers, [&](uint32_t rank) {
    if (prepared && !load.Check(rank)) right = false;
    load.Finish(rank);
  });
  if (!right) task.wrong = true;
}

}  // namespace roofmark
