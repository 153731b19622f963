// SPDX-License-Identifier: BSD-3-Clause
//
// How far an execution is: visits that its processes on this node have ended, over those that the
// time pass counted. A line that renews itself on a terminal; one sentence elsewhere.
#ifndef ROOFMARK_COMMAND_RUN_PROGRESS_H_
#define ROOFMARK_COMMAND_RUN_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/run/expectation.h"

namespace roofmark::cli {

// The share of the time pass's time whose visits are ended, from 0 to 1: each path by its own time
// and visits. `running` has the processes that can be seen, as far as they are; nothing without
// any.
std::optional<double> ShareDone(const JobProfile& time, const std::vector<JobProfile>& running);

// "43 %, 2 min, about 3 min left", or without a share "2 min of 40 s to 12 min".
std::string ProgressText(std::optional<double> share, double elapsed_s,
                         const Expectation& expectation);

// Reads the profiles of processes as they are now. It may take time.
using LookAtRunning = std::function<std::vector<JobProfile>()>;

// What was expected before is a wide range, because programs differ; after the first visits the
// time that is left is known well.
class PassForecast {
 public:
  struct Found {
    double share, elapsed_s, left_s;
  };
  // `tell` is called once, or never where the share stays unknown: one long visit, other nodes.
  PassForecast(const JobProfile& time, LookAtRunning look, std::function<void(const Found&)> tell);
  // Called often; looks after 10 s, and each time after twice as long.
  void Tick();

 private:
  const JobProfile& time_;
  const LookAtRunning look_;
  const std::function<void(const Found&)> tell_;
  const uint64_t start_ns_;
  uint64_t after_ns_;
  bool told_ = false;
};

class PassProgress {
 public:
  // `fd`: a terminal.
  PassProgress(const JobProfile& time, Expectation expectation, LookAtRunning look, int fd);
  // Clears the line.
  ~PassProgress();
  PassProgress(const PassProgress&) = delete;
  PassProgress& operator=(const PassProgress&) = delete;
  // Called often; looks and draws seldom.
  void Tick();

 private:
  const JobProfile& time_;
  const Expectation expectation_;
  const LookAtRunning look_;
  const int fd_;
  const uint64_t start_ns_;
  uint64_t next_ns_;
  bool drawn_ = false;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_PROGRESS_H_
