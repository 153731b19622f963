// SPDX-License-Identifier: BSD-3-Clause
//
// Which loops and functions of a program become regions: plain data that a counting engine is given
// before it executes the program.
#ifndef ROOFMARK_LIB_FOUND_NEST_PLAN_H_
#define ROOFMARK_LIB_FOUND_NEST_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofmark {

struct PlannedNest {
  std::string name;                // of the region; no two are alike, but for `same`
  std::string file;                // of the source; empty: not known
  uint32_t line = 0;               // 0: not known
  std::optional<uint32_t> around;  // index of the nest around it in the same function, before it
  bool is_function = false;
  // Index of the nest before it of whose region it is code, inlined into another function; it has
  // the same name. There may be several, inside of each other as loops are.
  std::optional<uint32_t> same = {};
  // Of inlined code at which no visit begins: index of the nest before it with whose visits it goes
  // on. That is the code at which they begin, if control comes back to that in a visit; else the
  // region, and each execution of the other code is a visit.
  std::optional<uint32_t> rest_of = {};

  bool operator==(const PlannedNest&) const = default;
};

// Code of a module, from offset to offset, and the innermost nest that it belongs to. Nothing: code
// of a function that has nests elsewhere.
struct PlannedRange {
  uint32_t module = 0;  // index
  std::optional<uint32_t> nest;
  uint64_t begin = 0, end = 0;

  bool operator==(const PlannedRange&) const = default;
};

// A function begins at this offset, and its first instruction belongs to nests.
struct PlannedEntry {
  uint32_t module = 0;
  uint32_t nest = 0;  // the innermost one
  uint64_t place = 0;
  // It is the body of an OpenMP construct, which the runtime calls on any thread: that is no visit
  // of the function that it was written in.
  bool goes_on = false;

  bool operator==(const PlannedEntry&) const = default;
};

struct NestPlan {
  std::vector<std::string> modules;  // files, as they are mapped
  std::vector<PlannedNest> nests;
  std::vector<PlannedRange> ranges;   // by module and begin; disjoint
  std::vector<PlannedEntry> entries;  // by module and place

  bool operator==(const NestPlan&) const = default;
};

// The nest that is the region.
uint32_t RegionOf(const NestPlan& plan, uint32_t nest);

// Makes the names of nests unlike each other: those that would be alike have their file behind them
// (`sweep() [libx.so]`), then a number. `files` by nest; their folders are not shown.
void TellApart(NestPlan& plan, const std::vector<std::string>& files);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_NEST_PLAN_H_
