// SPDX-License-Identifier: BSD-3-Clause
//
// How evenly a region's work lies on the job's workers, and what that bounds (section A.2 of the
// 2008 roofline report). Three versions of each figure: as it is, if the threads of every rank
// shared their rank's work evenly, and if all ranks had the same work.
#ifndef ROOFMARK_LIB_MODEL_BALANCE_H_
#define ROOFMARK_LIB_MODEL_BALANCE_H_

#include "lib/model/unit_rates.h"
#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct Balance {
  Value as_is;         // of all workers, absent ranks counting as idle
  Value even_threads;  // what imbalance between ranks leaves
  Value even_ranks;    // what imbalance within ranks leaves
  double workers = 0;
};

// Busiest worker's FLOPs over the mean, at least 1. Without FLOPs: of loaded and stored bytes. Of
// the threads of a rank: their time, where that was measured.
Balance WorkBalance(const JobProfile& job, size_t path);

// Workers that generate memory traffic as a share of all, at most 1: n_eff / n with
// n_eff = (sum b)^2 / sum b^2. Of a rank's threads only the busiest one's traffic is known: theirs
// is the highest n_eff that it allows, so that a bandwidth at n_eff stays an upper bound.
Balance TrafficConcurrency(const JobProfile& job, size_t path);

// By how much the least time of compute units grows with `busiest` (over the mean) on `workers`:
// the busiest works on when the others, equally busy, are done, at the clock of a core alone. 1
// when balanced.
double ImbalanceFactor(double busiest, double workers, const UnitRates& rates);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_BALANCE_H_
