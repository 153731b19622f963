// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/pack.h"

#include <algorithm>

#include "collectors/hardware/perf/group.h"
#include "lib/core/clock.h"

namespace roofmark::perf {
namespace {

// A group that opens may still never run: the kernel believes that all counters are there, also
// those that the NMI watchdog holds. Others' events may have the counters for a time slice.
bool Runs(const Group& group) {
  constexpr uint64_t kPatienceNs = 12'000'000;
  const uint64_t start = NowNs();
  Reading reading;
  do {
    if (group.Read(reading) != ReadStatus::kOk) return false;
    // No time has passed: nothing is known against it.
    if (reading.running_ns > 0 || reading.enabled_ns == 0) return true;
  } while (NowNs() - start < kPatienceNs);
  return false;
}

class Packer {
 public:
  Packer(const std::vector<perf_event_attr>& events, bool with_kernel, int cpu)
      : rest_(events), cpu_(cpu) {
    packed_.set.with_kernel = with_kernel;
    packed_.number.resize(events.size());
    packed_.refused.resize(events.size());
  }

  Packed Run() {
    while (done_ < rest_.size()) {
      const size_t fits = Fit();
      if (fits == 0) {
        ++done_;
      } else {
        Take(fits);
      }
    }
    return std::move(packed_);
  }

 private:
  std::vector<perf_event_attr> Next(size_t count) const {
    const auto first = rest_.begin() + static_cast<ptrdiff_t>(done_);
    return {first, first + static_cast<ptrdiff_t>(count)};
  }

  // How many of the next events form a group; if not even one, why.
  size_t Fit() {
    size_t count = std::min(rest_.size() - done_, kMostInGroup);
    while (count > 0) {
      OpenFailure failure;
      const auto group =
          Group::Open(Next(count), cpu_ < 0 ? 0 : -1, cpu_, packed_.set.with_kernel, &failure);
      if (!group) {
        if (failure.event == 0) {
          packed_.refused[done_] = cpu_ < 0 ? ExplainOpen(failure.error, packed_.set.with_kernel)
                                            : ExplainDevice(failure.error);
          return 0;
        }
        count = failure.event;
      } else if (Runs(*group)) {
        return count;
      } else {
        --count;
      }
    }
    packed_.refused[done_] = ExplainNeverRuns();
    return 0;
  }

  void Take(size_t count) {
    packed_.set.groups.push_back(Next(count));
    for (size_t i = 0; i < count; ++i) packed_.number[done_++] = taken_++;
  }

  const std::vector<perf_event_attr>& rest_;
  const int cpu_;
  Packed packed_;
  size_t done_ = 0, taken_ = 0;
};

}  // namespace

Packed Pack(const std::vector<perf_event_attr>& events, bool with_kernel, int cpu) {
  return Packer(events, with_kernel, cpu).Run();
}

}  // namespace roofmark::perf
