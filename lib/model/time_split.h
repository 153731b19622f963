// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a region goes, and what limits it. All that a report says of a region derives
// from this one structure, so that no two of its lines contradict each other.
#ifndef ROOFMARK_LIB_MODEL_TIME_SPLIT_H_
#define ROOFMARK_LIB_MODEL_TIME_SPLIT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/runtime_ceilings.h"
#include "lib/model/uncertainty.h"
#include "lib/model/value.h"
#include "lib/model/waiting.h"

namespace roofmark {

// Seconds of the run, between two bounds.
struct TimeInterval {
  double least = 0, most = 0;
};

// The interval, wider on both sides by what is uncertain of times (relative, beyond
// kLeastUncertainty): no gain is known exactly. At most `all`.
TimeInterval Widened(const TimeInterval& interval, double uncertainty, double all);

// Seconds of the slowest rank. The five parts add up to its time.
struct TimeSplit {
  double time_s = 0;
  double inside_mpi_s = 0;  // 0 where it was not measured
  // In which all threads of a team wait in OpenMP: what its busiest thread works is no part of it.
  // 0 where it was not measured.
  double in_openmp_s = 0;
  // In which the kernel works for it, as far as that is not in the two above. 0 where it was not
  // measured.
  double in_kernel_s = 0;
  // The least that the region's own work needs, as the model says: the time of its busiest resource
  // (bound and bottleneck analysis, 2008 report §3). Missing where the work or the machine is not
  // known.
  Value bound_s;
  // The same, at most what is left. Missing, too, where the bound is above that by more than both
  // are uncertain: then the bound is wrong (Reason::kBoundAboveTime), and nothing rests on it.
  Value needed_s;
  // What is left. Missing like `needed_s`.
  Value unexplained_s;

  // The time that its work can use.
  double Usable() const { return time_s - inside_mpi_s - in_openmp_s - in_kernel_s; }
  // Of that, 0 to 1, what the model explains; 0 where nothing is known.
  double Explained() const;
  // The bound over the time outside MPI and OpenMP, at most 100; where there is a bound.
  double Excess() const;
  bool BoundIsAboveTime() const { return needed_s.reason.id == Reason::kBoundAboveTime; }
};

enum class LimitedBy : uint8_t {
  kUnknown,      // no machine, no work, or no time
  kWaiting,      // most of its time it waits; waiting.h says for what
  kKernel,       // the kernel works for it: the largest part of the time in which it does not wait
  kUnexplained,  // most of the time it can use is due to nothing that was counted
  kResource,
  kMpiWork,       // MPI works for it (copies, set-up): the largest part of the time
  kBoundIsWrong,  // the model's bound is above the measured time: what limits is likely at most
  kPhases,        // inner regions and its own code have different limits, one after another
};

// A part of a region's time, by what limits the inner regions that it is spent in.
struct Phase {
  LimitedBy what = LimitedBy::kUnknown;
  std::string resource = {}, beside = {};  // as of a Limit
  std::string mark = {};                   // "?" of what nothing is known of, too
  double share = 0;                        // of the region's time
};
inline constexpr std::string_view kOtherPhases = "other";  // mark of small ones together

struct Limit {
  LimitedBy what = LimitedBy::kUnknown;
  // As RuntimeModel::binding; empty where no resource limits. Of kBoundIsWrong: the one that takes
  // the time most likely, where its bound is above that by no more than half.
  std::string resource = {};
  // That of the other side of the cores (Sides), where neither takes the time alone: what the
  // larger needs leaves a part of the time, what the other needs fills that. Else empty.
  std::string beside = {};

  // "compute" or "memory", "both" where two limit it; empty where no resource limits.
  std::string_view Kind() const;
  // For a column of the table: the resource ("chain" of dependences, "branch" of mispredicted ones,
  // with "?" where the core surely predicts better than the model of it, "atomic"; "chain+DRAM"
  // where two limit it, "DRAM?" where it is likely), "wait", "OS", "?" or nothing; of kPhases the
  // two largest: "DRAM/compute".
  std::string_view Mark() const;
  // It follows from the limits of inner regions (lib/model/phases.h): nothing that the sum of its
  // work tells says what limits it.
  bool IsOfPhases() const { return !phases.empty(); }

  std::string mark = {};  // of two resources, of a likely one, or of phases
  // The largest first, kOtherPhases last; their shares add up to 1. Empty where the region's own
  // sums tell the limit.
  std::vector<Phase> phases = {};
};

// Where a bound of the model is `ratio` times what was measured: no number.
Value AboveTime(double ratio);

// Of a region's time; without a value nothing is known of it.
struct TimeShares {
  Value mpi, openmp, kernel;
};

// `attainable_s`: the time that the region's work takes at what its mix can attain. The kernel's
// time is counted in ticks of milliseconds: what the work needs at least is not the kernel's.
TimeSplit SplitTime(const Value& time_s, const TimeShares& shares, const Value& attainable_s,
                    const Uncertainty& uncertain = {});

Limit LimitOf(const TimeSplit& split, const Waiting& waiting, const RuntimeModel& runtime);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_TIME_SPLIT_H_
