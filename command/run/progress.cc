// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/core/clock.h"
#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

constexpr uint64_t kFirstNs = 2'000'000'000, kRenewNs = 1'000'000'000;
constexpr uint64_t kForecastNs = 10'000'000'000;
// What came first may have been another part of the program, and what comes last lies outside of
// regions.
constexpr double kForeseen = 0.05;
// Looking takes at most one part in so many of the time.
constexpr uint64_t kSeldom = 20;

// Clears what is to the right; the program's output may then begin at the left.
void Draw(int fd, const std::string& text) { WriteAll(fd, "\r\033[K" + text + "\r"); }

}  // namespace

std::optional<double> ShareDone(const JobProfile& time, const std::vector<JobProfile>& running) {
  if (running.empty()) return std::nullopt;
  const std::vector<double> own = OwnTimesNs(time);
  double all = 0, done = 0;
  for (size_t p = 0; p < own.size(); ++p) {
    const double expected = time.At(p, metric::kVisits).mean * static_cast<double>(running.size());
    if (expected <= 0) continue;
    double ended = 0;
    for (const JobProfile& rank : running) {
      const int row = rank.FindPath(time.paths[p].path);
      if (row >= 0) ended += rank.At(static_cast<size_t>(row), metric::kVisits).SumAsDouble();
    }
    all += own[p];
    done += own[p] * std::min(1.0, ended / expected);
  }
  if (all <= 0) return std::nullopt;
  return done / all;
}

namespace {

// At the pace so far; `share` is above 0.
double LeftSeconds(double share, double elapsed_s) { return elapsed_s * (1 - share) / share; }

}  // namespace

std::string ProgressText(std::optional<double> share, double elapsed_s,
                         const Expectation& expectation) {
  const std::string elapsed = Duration(elapsed_s);
  constexpr double kTold = 0.005;  // less tells no time
  if (!share || *share < kTold) {
    return fmt::format("{} of {}", elapsed, Describe(expectation));
  }
  return fmt::format("{:.0f} %, {}, about {} left", 100 * *share, elapsed,
                     Duration(LeftSeconds(*share, elapsed_s)));
}

PassForecast::PassForecast(const JobProfile& time, LookAtRunning look,
                           std::function<void(const Found&)> tell)
    : time_(time),
      look_(std::move(look)),
      tell_(std::move(tell)),
      start_ns_(NowNs()),
      after_ns_(kForecastNs) {}

void PassForecast::Tick() {
  const uint64_t elapsed_ns = NowNs() - start_ns_;
  if (told_ || elapsed_ns < after_ns_) return;
  after_ns_ *= 2;
  const std::optional<double> share = ShareDone(time_, look_());
  if (!share || *share < kForeseen || *share > 1 - kForeseen) return;
  told_ = true;
  const double elapsed_s = static_cast<double>(elapsed_ns) * 1e-9;
  tell_({*share, elapsed_s, LeftSeconds(*share, elapsed_s)});
}

PassProgress::PassProgress(const JobProfile& time, Expectation expectation, LookAtRunning look,
                           int fd)
    : time_(time),
      expectation_(expectation),
      look_(std::move(look)),
      fd_(fd),
      start_ns_(NowNs()),
      next_ns_(start_ns_ + kFirstNs) {}

PassProgress::~PassProgress() {
  if (drawn_) Draw(fd_, "");
}

void PassProgress::Tick() {
  const uint64_t now = NowNs();
  if (now < next_ns_) return;
  const std::optional<double> share = ShareDone(time_, look_());
  const uint64_t looked = NowNs();
  const double elapsed_s = static_cast<double>(looked - start_ns_) * 1e-9;
  Draw(fd_, "roofmark: " + ProgressText(share, elapsed_s, expectation_));
  drawn_ = true;
  next_ns_ = looked + std::max(kRenewNs, kSeldom * (looked - now));
}

}  // namespace roofmark::cli
