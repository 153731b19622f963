// SPDX-License-Identifier: BSD-3-Clause
//
// By which method threads are sampled, and what was learnt about that.
#ifndef ROOFMARK_MARKERS_SAMPLES_METHODS_H_
#define ROOFMARK_MARKERS_SAMPLES_METHODS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "lib/core/settings.h"
#include "lib/samples/samples.h"
#include "markers/samples/perf_ring.h"
#include "markers/samples/signal_timer.h"

namespace roofmark::samples {

// With a lock of the caller.
class Methods {
 public:
  explicit Methods(const SamplePlan& plan);

  using Source = std::variant<PerfRing, SignalTimer>;
  // Starts to sample a thread; nothing where no method works for it.
  std::optional<Source> Open(pid_t tid) noexcept;
  uint64_t PeriodOf(SampleMethod method) const {
    return method == SampleMethod::kTimer ? timer_period_ns_ : period_ns_;
  }
  bool with_kernel() const { return with_kernel_; }

  // The program replaced roofmark's handler: no timer is made any more.
  void GiveUpTimers() noexcept;
  bool uses_timers() const { return installed_; }

  // Empty if there is no reason. They read files.
  std::string WhyNotPerfEvent() const;
  std::string WhyNotTimer() const;

 private:
  std::optional<PerfRing> OpenRing(pid_t tid) noexcept;
  std::optional<SignalTimer> OpenTimer(pid_t tid) noexcept;

  const SamplePlan::By by_;
  const uint64_t period_ns_, timer_period_ns_;
  bool with_kernel_ = true;
  bool perf_is_denied_ = false;     // for every thread
  PerfRing::Failure perf_failure_;  // the first one; error 0: none
  bool installed_ = false;
  int timer_error_ = 0;  // the first one
  std::string why_no_handler_;
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_METHODS_H_
