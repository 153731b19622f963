// SPDX-License-Identifier: BSD-3-Clause
//
// Which paths of an execution under a counting engine a way of calls of another execution stands
// for. Pure.
#ifndef ROOFMARK_LIB_FOUND_CALL_PATHS_H_
#define ROOFMARK_LIB_FOUND_CALL_PATHS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lib/core/code_place.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"

namespace roofmark {

struct PathShare {
  uint32_t path = 0;  // index of Executed::paths
  double share = 0;

  bool operator==(const PathShare&) const = default;
};

class CallPaths {
 public:
  // Both outlive this.
  CallPaths(const NestPlan& plan, const Executed& executed);

  // Of the paths in which the main thread executed the innermost call that is known there: the one
  // that the nests of all calls make; where none is like that, those that end so (outer calls may
  // be missing, and markers may be around), else those that have the same nests in the same order
  // (a function that ends by calling another one leaves no trace), else all. Several share by how
  // often they executed it. Shares are 1 together; nothing if nobody executed any of the calls.
  std::vector<PathShare> Of(std::span<const CodePlace> frames) const;

 private:
  // Names of regions, outermost first.
  using Names = std::vector<std::string>;
  std::vector<PathShare> Executors(const CodePlace& call) const;
  Names NestsOf(std::span<const CodePlace> frames) const;
  int Likeness(const Names& names, uint32_t path) const;

  const NestPlan& plan_;
  const Executed& executed_;
  std::map<std::string, uint32_t> modules_;  // of the plan
  std::vector<Names> names_;                 // of each path
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_CALL_PATHS_H_
