// SPDX-License-Identifier: BSD-3-Clause
//
// What the counts in a spool say: gathered block by block, then held against the visits that the
// spool has, so that both are of the same moment.
#ifndef ROOFMARK_LIB_SPOOL_READ_COUNTS_H_
#define ROOFMARK_LIB_SPOOL_READ_COUNTS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counts/kept_plan.h"
#include "lib/counts/kept_row.h"
#include "lib/counts/store.h"
#include "lib/fold/fold.h"

namespace roofmark::spool {

class CountsReader {
 public:
  // The contents of blocks, which must outlive this. False if they are impossible.
  bool TakePlan(std::string_view content);
  bool TakeRows(uint32_t columns, uint32_t rows, std::string_view content);
  bool TakeLack(uint32_t what);

  // Some block of the spool is lost, and nobody knows which.
  void PartIsLost() { part_is_lost_ = true; }

  // Visits that are known of a path in a thread record of the markers.
  using Visits = std::function<uint64_t(uint64_t record, uint32_t path)>;
  // Adds workers and doubts to `input`, whose nodes must be known. Once, at the end.
  void Finish(const Visits& visits, FoldInput& input);

  // After Finish(). Nothing where the counts are not in the spool, or cannot be believed.
  const std::optional<counts::KeptPlan>& plan() const { return plan_; }
  // Then: why, as a reason of a metric; empty if the process kept none.
  const std::string& why_not() const { return why_not_; }
  std::vector<std::string> TakeProblems() { return std::move(problems_); }
  // Rows that the process wrote while the spool was being copied.
  bool ahead() const { return ahead_; }

 private:
  struct Block {
    uint32_t columns, rows;
    std::string_view content;
  };

  template <typename Visit>
  void ForEachRow(Visit visit);
  uint64_t LastHandOver();
  std::string WhyNot();
  void Decode(const roof_kept_row& row, const Visits& visits, uint64_t hand_over, FoldInput& input);
  void Add(const roof_kept_row& row, const roof_kept_copy& copy, FoldInput& input);

  std::optional<counts::KeptPlan> plan_;
  std::vector<Block> blocks_;
  std::optional<counts::Lack> lack_;
  bool part_is_lost_ = false, ahead_ = false;
  size_t rows_ = 0;
  std::string why_not_;
  std::vector<std::string> problems_;
  std::vector<counts::Sum> sums_;
};

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_READ_COUNTS_H_
