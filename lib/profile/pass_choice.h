// SPDX-License-Identifier: BSD-3-Clause
//
// Where two executions of a program counted the same, one of them is believed. The counts of a
// region must fit each other, so the choice is made for a family of metrics at once:
//   what is executed (FLOPs, instructions, loads, dependences)   the engine, which tells every kind
//   cycles, stalls, misses, memory controllers, own events       hardware, which alone counts them
//   bytes of DRAM                                                controllers, else the cache model
//   traffic between caches                                       the engine, else hardware
#ifndef ROOFMARK_LIB_PROFILE_PASS_CHOICE_H_
#define ROOFMARK_LIB_PROFILE_PASS_CHOICE_H_

#include "lib/profile/profile.h"

namespace roofmark {

class PassChoice {
 public:
  PassChoice(const JobProfile& time, const JobProfile& work);
  // Whether this metric is taken from the time pass, in which hardware may have counted.
  bool FromTime(MetricId id) const;

 private:
  const JobProfile &time_, &work_;
  bool by_hardware_;  // counters were read in the time pass
  bool executed_from_time_, traffic_from_time_, dram_from_time_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_PASS_CHOICE_H_
