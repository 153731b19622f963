// SPDX-License-Identifier: BSD-3-Clause
//
// Which loops and functions that were found are worth markers.
#ifndef ROOFMARK_LIB_SUGGEST_CHOOSE_H_
#define ROOFMARK_LIB_SUGGEST_CHOOSE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark::suggest {

// What regions are compared by: the first of these that the file has.
enum class Weight : uint8_t { kTime, kInstructions, kFlops };

struct ChooseOptions {
  double least_us = 10;       // per entry
  double least_share = 0.01;  // of the whole
  // Whether a loop runs inside a parallel construct of its function: nothing below it is taken.
  std::function<bool(const PathInfo&)> in_parallel = [](const PathInfo&) { return false; };
};

// Without times, how much work stands for a microsecond: a core executes some thousand millions of
// instructions a second, and a part of them does FLOPs.
inline constexpr double kInstructionsPerUs = 3000, kFlopsPerUs = 1000;

struct Candidate {
  std::vector<size_t> paths;     // indices into the profile's: one place can be reached by several
  double weight = 0;             // of the mean rank: nanoseconds, instructions or FLOPs
  double share = 0;              // of the program's
  double per_entry = 0;          // in the weight's unit
  std::optional<double> gain_s;  // seconds that advice for it is expected to save
  std::string name;              // of the region
};

struct PassedOver {
  size_t path = 0;
  double share = 0;
  std::string why;  // a clause
};

struct Candidates {
  Weight weight = Weight::kTime;
  bool by_gain = false;  // the order: by `gain_s`, else by weight
  std::vector<Candidate> chosen;
  std::vector<PassedOver> passed;  // the most first
};

// The outermost loops and functions that say something of their own. One whose time lies in several
// candidates below it is left to them if it is nearly the whole program, or if they are in other
// functions; so is a function to a loop. What is below that is not taken. `analysis` may be null.
// An error if nothing was found, or nothing has a weight.
Result<Candidates> Choose(const JobProfile& job, const JobAnalysis* analysis,
                          const ChooseOptions& options);

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_CHOOSE_H_
