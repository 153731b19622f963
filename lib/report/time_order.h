// SPDX-License-Identifier: BSD-3-Clause
//
// The order of regions in everything that shows them: a tree, the longest sibling first. Tables
// have their rows in it, and the letters of dots follow it.
#ifndef ROOFMARK_LIB_REPORT_TIME_ORDER_H_
#define ROOFMARK_LIB_REPORT_TIME_ORDER_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark {

// The paths of a profile with their times, in seconds; 0 where a time is not known.
class TimedTree {
 public:
  TimedTree(const JobProfile& job, const JobAnalysis& analysis);

  // Without the time of what is inside it.
  double Own(size_t path) const;
  // Indices of the profile's paths; without those that are not `shown`, and what is inside them.
  std::vector<size_t> Order(const std::vector<bool>& shown) const;
  // The path around it; nothing for an outermost one.
  const std::optional<size_t>& Parent(size_t path) const { return parents_[path]; }
  size_t size() const { return parents_.size(); }

 private:
  void Append(std::vector<size_t> siblings, const std::vector<bool>& shown,
              std::vector<size_t>& order) const;

  std::vector<std::optional<size_t>> parents_;
  std::vector<std::vector<size_t>> children_;
  std::vector<double> times_;
  std::vector<size_t> roots_;
};

// All paths.
std::vector<size_t> TimeOrder(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_TIME_ORDER_H_
