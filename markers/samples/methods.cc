// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/methods.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "collectors/hardware/perf/explain.h"

namespace roofmark::samples {
namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

bool IsForbidden(int error) { return error == EACCES || error == EPERM; }

}  // namespace

Methods::Methods(const SamplePlan& plan)
    : by_(plan.by),
      period_ns_(kNsPerSecond / plan.hz),
      timer_period_ns_(SignalTimer::PeriodFor(period_ns_)) {}

// The event that counts in the kernel, too, is refused to most users.
std::optional<PerfRing> Methods::OpenRing(pid_t tid) noexcept {
  PerfRing::Failure failure;
  std::optional<PerfRing> ring = PerfRing::Open(tid, period_ns_, with_kernel_, &failure);
  const auto of_event = [&] { return failure.of == PerfRing::Failure::Of::kEvent; };
  if (!ring && with_kernel_ && of_event() && IsForbidden(failure.error)) {
    with_kernel_ = false;
    ring = PerfRing::Open(tid, period_ns_, with_kernel_, &failure);
  }
  if (ring || failure.error == ESRCH) return ring;
  if (perf_failure_.error == 0) perf_failure_ = failure;
  perf_is_denied_ =
      of_event() && failure.error != EMFILE && failure.error != ENFILE && failure.error != ENOMEM;
  return ring;
}

std::optional<SignalTimer> Methods::OpenTimer(pid_t tid) noexcept {
  if (!installed_ && why_no_handler_.empty()) {
    why_no_handler_ = SignalTimer::Install();
    installed_ = why_no_handler_.empty();
  }
  if (!installed_) return std::nullopt;
  int error = 0;
  std::optional<SignalTimer> timer = SignalTimer::Start(tid, timer_period_ns_, &error);
  if (!timer && error != ESRCH && error != EINVAL && timer_error_ == 0) timer_error_ = error;
  return timer;
}

std::optional<Methods::Source> Methods::Open(pid_t tid) noexcept {
  if (by_ != SamplePlan::By::kTimer && !perf_is_denied_) {
    if (std::optional<PerfRing> ring = OpenRing(tid)) return Source(std::move(*ring));
  }
  if (by_ != SamplePlan::By::kPerfEvent) {
    if (std::optional<SignalTimer> timer = OpenTimer(tid)) return Source(std::move(*timer));
  }
  return std::nullopt;
}

void Methods::GiveUpTimers() noexcept {
  installed_ = false;
  why_no_handler_ = "the program replaced roofmark's handler for SIGURG";
}

std::string Methods::WhyNotPerfEvent() const {
  if (by_ == SamplePlan::By::kTimer) return "ROOFMARK_SAMPLES asks for timers";
  if (perf_failure_.error == 0) return {};
  if (perf_failure_.of == PerfRing::Failure::Of::kEvent) {
    return perf::ExplainOpen(perf_failure_.error, false).reason;
  }
  if (perf_failure_.error == EPERM) {
    return "the memory for samples of all threads of this user is used up: ask the administrator "
           "to raise /proc/sys/kernel/perf_event_mlock_kb, or raise `ulimit -l`";
  }
  return fmt::format("the memory for samples cannot be mapped ({})",
                     std::strerror(perf_failure_.error));
}

std::string Methods::WhyNotTimer() const {
  if (by_ == SamplePlan::By::kPerfEvent) return "ROOFMARK_SAMPLES asks for perf_event";
  if (!why_no_handler_.empty()) return why_no_handler_;
  if (timer_error_ == 0) return {};
  if (timer_error_ == EAGAIN) {
    return "no timer is left for this user: raise `ulimit -i`, the limit on pending signals";
  }
  return fmt::format("a timer of a thread's CPU time cannot be made ({})",
                     std::strerror(timer_error_));
}

}  // namespace roofmark::samples
