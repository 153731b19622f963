// SPDX-License-Identifier: BSD-3-Clause
//
// Loops and functions as regions: the plan that ROOFMARK_NESTS names or that is made of
// ROOFMARK_FUNCTIONS, and the paths that the engine made of it.
#ifndef ROOFMARK_COLLECTORS_COUNTING_FOUND_PATHS_H_
#define ROOFMARK_COLLECTORS_COUNTING_FOUND_PATHS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"

namespace roofmark::counting {

class FoundPaths {
 public:
  // Gives the engine the plan that the settings ask for, if they do. Empty, or why that is not
  // possible, with the name of the variable.
  std::string Start(Engine& engine, const Settings& settings);
  // Defines what the engine has made so far. What was defined in another sink is forgotten.
  void Define(HarvestSink& sink);
  // The sink's number of a path of the engine.
  uint32_t PathOf(uint32_t path) const;
  // Full names of the paths that nests made, by the engine's numbers.
  const std::map<uint32_t, std::string>& names() const { return names_; }
  // Entries that have no path of their own, by the last Define().
  uint64_t lost() const { return lost_; }
  // The file of ROOFMARK_NESTS has no loop and no function: whatever is counted has no such region.
  bool is_empty() const { return is_empty_; }
  // What of ROOFMARK_FUNCTIONS is no region, as clauses.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::string Follow(Engine& engine, const std::string& of);

  Nests* nests_ = nullptr;  // nullptr: no plan
  NestPlan plan_;
  bool is_empty_ = false;
  std::vector<std::string> notes_;
  std::map<uint32_t, uint32_t> paths_;
  std::map<uint32_t, std::string> names_;
  uint64_t lost_ = 0;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_FOUND_PATHS_H_
