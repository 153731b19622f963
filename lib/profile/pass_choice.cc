// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/pass_choice.h"

#include "lib/profile/match_visits.h"

namespace roofmark {
namespace {

bool IsOfControllers(MetricId id) {
  return id >= metric::kPackageDramReadBytes && id <= metric::kPackageHbmWriteBytes;
}

bool IsOfHardwareAlone(MetricId id) {
  return (id >= metric::kCycles && id <= metric::kApportionedDramBytes) || IsUser(id);
}

bool IsTraffic(MetricId id) { return id >= metric::kL1ReadBytes && id <= metric::kMissesConflict; }

template <typename Is>
bool CountsAny(const JobProfile& job, Is is) {
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (is(id) && HasValue(job.sources[id].status)) return true;
  }
  return false;
}

bool Counts(const JobProfile& job, MetricId id) { return HasValue(job.sources[id].status); }

}  // namespace

PassChoice::PassChoice(const JobProfile& time, const JobProfile& work)
    : time_(time),
      work_(work),
      by_hardware_(CountsAny(time, IsOfHardwareAlone) || Counts(time, metric::kFlops)),
      executed_from_time_(Counts(time, metric::kFlops) && !Counts(work, metric::kFlops)),
      traffic_from_time_(CountsAny(time, IsTraffic) && !CountsAny(work, IsTraffic)),
      dram_from_time_(Counts(time, metric::kDramBytes) &&
                      (CountsAny(time, IsOfControllers) || !Counts(work, metric::kDramBytes))) {}

bool PassChoice::FromTime(MetricId id) const {
  if (IsOfTimePass(id)) return true;
  if (IsOfHardwareAlone(id)) return Counts(time_, id) || (by_hardware_ && !Counts(work_, id));
  if (id == metric::kDramBytes) return dram_from_time_;
  return IsTraffic(id) ? traffic_from_time_ : executed_from_time_;
}

}  // namespace roofmark
