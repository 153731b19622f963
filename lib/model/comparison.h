// SPDX-License-Identifier: BSD-3-Clause
//
// What changed between two runs, region by region, and whether noise between executions explains
// it. Executions are those of `roofmark run --repeat`; the test is that of significance.h.
#ifndef ROOFMARK_LIB_MODEL_COMPARISON_H_
#define ROOFMARK_LIB_MODEL_COMPARISON_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/renamed.h"
#include "lib/model/significance.h"
#include "lib/profile/profile.h"

namespace roofmark {

enum class Quantity : uint8_t { kTime, kGflops, kIntensity, kEfficiency };
inline constexpr size_t kQuantities = 4;

struct QuantityInfo {
  Quantity id;
  std::string_view name;     // "time", as in rules
  std::string_view derived;  // its row among the derived values
};
inline constexpr std::array<QuantityInfo, kQuantities> kQuantityTable = {
    {{Quantity::kTime, "time", "time_s"},
     {Quantity::kGflops, "gflops", "gflops"},
     {Quantity::kIntensity, "intensity", "intensity_dram"},
     {Quantity::kEfficiency, "efficiency", "efficiency"}}};

enum class NoiseKind : uint8_t {
  kTested,       // the change has a probability
  kUnknown,      // one of the two was executed once, or intervals of what was extrapolated overlap
  kCountedOnce,  // the quantity does not depend on time: it was counted in one execution
  kSmall,        // the region takes less than 1 % of both runs
  kNoValue,      // one of the two has none
  kDoubtful,     // times of one of the two do not hold, as health says
};

// One quantity of one region. Of quantities that depend on time: at the geometric mean of the
// executions' times.
struct Change {
  Value before, after;
  std::optional<double> factor;  // after over before
  NoiseKind noise = NoiseKind::kNoValue;
  std::optional<Difference> difference;  // where noise is kTested
  double corrected = 1;                  // its probability after Holm
  bool significant = false;
};

enum class Presence : uint8_t { kBoth, kNew, kVanished };

struct RegionChange {
  std::string path;      // in the first run, but of new regions
  std::string new_path;  // in the second one; the same unless renamed
  Presence presence = Presence::kBoth;
  std::array<Change, kQuantities> changes;
  std::string limit_before, limit_after;  // as LimitMark; empty where not known
  const Change& Of(Quantity quantity) const { return changes[static_cast<size_t>(quantity)]; }
};

struct Comparison {
  std::vector<RegionChange> regions;  // by path; the program as a whole is the last, where known
  size_t executions_before = 1, executions_after = 1;
  size_t tested = 0;         // regions, (program) included
  bool interleaved = false;  // the executions of both took turns
  // Health says that times of the run do not hold. Executions that took turns had the same
  // conditions, which their noise includes: they are compared all the same.
  bool doubtful_before = false, doubtful_after = false;
  bool times_hold() const { return interleaved || !(doubtful_before || doubtful_after); }
  bool noise_known() const { return executions_before > 1 && executions_after > 1; }
};

struct ComparedRun {
  const JobProfile& job;
  const JobAnalysis& analysis;
};

// `always`: regions (their names, outermost first) that are tested however small they are.
using TestedAlways = std::function<bool(const RegionChange&)>;
Comparison CompareRuns(const ComparedRun& before, const ComparedRun& after,
                       const RenameMap& renamed = {}, const TestedAlways& always = {});

// Regions whose quantity changed beyond noise.
std::vector<const RegionChange*> Significant(const Comparison& comparison, Quantity quantity);

// The fact of a time pass that says with which other command its executions took turns.
inline constexpr char kAgainstFact[] = "in_turns_with";

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_COMPARISON_H_
