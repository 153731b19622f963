// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/explain.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "lib/core/file.h"

namespace roofmark::perf {
namespace {

constexpr char kParanoid[] = "/proc/sys/kernel/perf_event_paranoid";

std::string Forbidden(int needed, const char* addition) {
  const Result<std::string> level = ReadFile(kParanoid);
  if (!level) {
    return fmt::format(
        "the operating system forbids performance events to this process, and {} cannot be read: "
        "the cause "
        "may be a container's seccomp profile (it must allow perf_event_open)",
        kParanoid);
  }
  const std::string number = level->substr(0, level->find('\n'));
  return fmt::format(
      "the operating system forbids it ({} is {}): ask the administrator to set it to {} or to "
      "give the "
      "program CAP_PERFMON{}; the seccomp profile of a container must allow perf_event_open",
      kParanoid, number, needed, addition);
}

}  // namespace

Explanation ExplainOpen(int error, bool with_kernel) {
  switch (error) {
    case EACCES:
    case EPERM:
      return {Status::kDenied, with_kernel
                                   ? Forbidden(1, "; without ROOFMARK_KERNEL=1 level 2 is enough")
                                   : Forbidden(2, "")};
    case EMFILE:
    case ENFILE:
      return {Status::kDenied,
              "no file descriptor is left for the events: raise the limit with `ulimit -n`, or "
              "choose fewer events with ROOFMARK_GROUP"};
    case EBUSY:
      return {Status::kDenied,
              "another program holds the counters exclusively: end other profilers"};
    case ENOMEM:
      return {Status::kDenied, "the operating system has no memory for the events"};
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
    case ENOSYS:
      return {Status::kUnsupported,
              fmt::format(
                  "this Linux kernel does not have the event ({}): virtual machines often have no "
                  "counters, and new CPUs need a new Linux kernel",
                  std::strerror(error))};
    default:
      return {Status::kUnsupported,
              fmt::format("the operating system refuses the event ({})", std::strerror(error))};
  }
}

Explanation ExplainDevice(int error) {
  if (error != EACCES && error != EPERM) return ExplainOpen(error, false);
  return {Status::kDenied, Forbidden(0,
                                     "; memory controllers count the traffic of all users, so they "
                                     "need more rights than the counters of one program")};
}

Explanation ExplainNeverRuns() {
  return {Status::kDenied,
          "the event never gets a counter: other programs hold the counters (the NMI watchdog, see "
          "/proc/sys/kernel/nmi_watchdog, or the site's monitoring)"};
}

}  // namespace roofmark::perf
