// SPDX-License-Identifier: BSD-3-Clause
//
// Runs pieces of work as regions of a collector: each twice, short and long, so that the difference
// is free of what a call does before and after its loop.
#ifndef ROOFMARK_COMMAND_SELF_TEST_LABORATORY_H_
#define ROOFMARK_COMMAND_SELF_TEST_LABORATORY_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "command/self_test/verdict.h"
#include "lib/profile/profile.h"

namespace roofmark::cli {

class Laboratory {
 public:
  // Metrics that `sources` has without value are not judged. One region should last about
  // `region_ns`; 0: times are not real here.
  Laboratory(Collector& collector, const std::array<MetricSource, kMetrics>& sources,
             uint64_t region_ns)
      : collector_(collector), sources_(sources), region_ns_(region_ns) {}

  bool engine() const { return !collector_.TimesAreReal(); }
  uint64_t region_ns() const { return region_ns_; }
  bool Offers(std::string_view metric) const;
  bool OffersFlops() const;

  // `work` does `repeats` of something; `known` of what one repeat does.
  using Work = std::function<void(uint64_t repeats)>;
  struct Exercise {
    Family family;
    std::string name;
    Known known;  // of one repeat
    uint64_t short_repeats, long_repeats;
  };
  // Of the whole team. Not run if nothing in `known` is offered.
  void Run(const Exercise& exercise, const Work& work);
  // Of each thread: `known` in ascending order of work; `work` ends when all of them are done.
  void RunOnThreads(const Exercise& exercise, const std::vector<Known>& known, const Work& work);

  // Repeats of `work` that take about region_ns(); `least` under the engine.
  uint64_t Calibrate(const Work& work, uint64_t least) const;

  // Every region is visited so often, for a collector that counts something else in each visit.
  void SetRounds(uint32_t rounds) { rounds_ = rounds; }

  struct Ran {
    Exercise exercise;
    std::vector<Known> of_threads;
    uint32_t short_path, long_path;

    uint64_t Repeats() const { return exercise.long_repeats - exercise.short_repeats; }
  };
  const std::vector<Ran>& ran() const { return ran_; }

  // Everything that ran, judged.
  std::vector<Check> Judge();

 private:
  bool Wants(const Known& known) const;
  void InRegion(uint32_t path, const Work& work, uint64_t repeats);

  Collector& collector_;
  const std::array<MetricSource, kMetrics>& sources_;
  uint64_t region_ns_;
  uint32_t rounds_ = 1;
  uint32_t next_path_ = 1;  // 0 stands for "in no region"
  std::vector<Ran> ran_;
};

// What there is to run.
void RunFlopExercises(Laboratory& laboratory, bool probe_only);
void RunInstructionExercises(Laboratory& laboratory);
void RunThreadExercises(Laboratory& laboratory);
void RunMemoryExercises(Laboratory& laboratory);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SELF_TEST_LABORATORY_H_
