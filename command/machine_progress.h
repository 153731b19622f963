// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_MACHINE_PROGRESS_H_
#define ROOFMARK_COMMAND_MACHINE_PROGRESS_H_

#include <cstdint>
#include <cstdio>
#include <string_view>

#include "benchmarks/machine/measure.h"

namespace roofmark::cli {

// On a terminal one line that renews itself, else a line for each quarter. Writes little and
// seldom: it runs beside the measurement.
class StreamProgress final : public Progress {
 public:
  StreamProgress(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}
  void Update(double share, double seconds_left, std::string_view what) override;
  // Clears the line.
  void Finish();

 private:
  std::FILE* out_;
  bool terminal_;
  bool drawn_ = false;
  uint64_t last_ns_ = 0;
  int next_quarter_ = 1;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_PROGRESS_H_
