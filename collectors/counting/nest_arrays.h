// SPDX-License-Identifier: BSD-3-Clause
//
// A plan of nests as engines take it: arrays in C, numbers from 1.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NEST_ARRAYS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NEST_ARRAYS_H_

#include <vector>

#include "collectors/counting/contexts/nests.h"
#include "lib/found/nest_plan.h"

namespace roofmark::counting {

class NestArrays {
 public:
  // The plan outlives it.
  explicit NestArrays(const NestPlan& plan);
  NestArrays(const NestArrays&) = delete;
  NestArrays& operator=(const NestArrays&) = delete;
  const roof_nest_plan& plan() const { return plan_; }

 private:
  std::vector<const char*> files_;
  std::vector<roof_nest> nests_;
  std::vector<roof_nest_range> ranges_;
  std::vector<roof_nest_entry> entries_;
  roof_nest_plan plan_ = {};
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NEST_ARRAYS_H_
