// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/job_end.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "lib/core/messages/command_run.h"

namespace roofmark::cli {

std::optional<double> SecondsToJobEnd(const char* end_time, uint64_t now_unix_s) {
  uint64_t end_unix_s = 0;
  const char* const last = end_time == nullptr ? nullptr : end_time + std::strlen(end_time);
  const auto parsed = std::from_chars(end_time, last, end_unix_s);
  const bool known = parsed.ec == std::errc() && parsed.ptr == last && last != nullptr;
  if (!known || end_unix_s <= now_unix_s) return std::nullopt;
  return static_cast<double>(end_unix_s - now_unix_s);
}

std::optional<double> LeftOfJob() {
  return SecondsToJobEnd(std::getenv("SLURM_JOB_END_TIME"), static_cast<uint64_t>(time(nullptr)));
}

std::string WhyJobIsTooShort(const Expectation& expectation, std::optional<double> left_s,
                             bool is_work) {
  if (!left_s || expectation.most_s <= *left_s) return {};
  const char* const how = expectation.least_s > *left_s ? "will not" : "may not";
  const std::string left = Duration(*left_s);
  return is_work ? InWords(message::kJobEndsBefore, how, left)
                 : InWords(message::kJobEndsBeforeExecution, how, left);
}

}  // namespace roofmark::cli
