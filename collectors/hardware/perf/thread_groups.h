// SPDX-License-Identifier: BSD-3-Clause
//
// What every thread counts through the kernel: groups of events, one descriptor for each event.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_THREAD_GROUPS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_THREAD_GROUPS_H_

#include <linux/perf_event.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/threads/counters.h"

namespace roofmark::perf {

struct EventSet {
  std::vector<std::vector<perf_event_attr>> groups;
  bool with_kernel = false;

  size_t events() const;
};

class ThreadGroups final : public threads::Source {
 public:
  explicit ThreadGroups(EventSet set);

  const std::vector<size_t>& Groups() const override { return sizes_; }
  size_t Descriptors() const override { return set_.events(); }
  // Failures are errno's.
  std::unique_ptr<threads::Counters> Open(pid_t tid,
                                          threads::OpenFailure& failure) noexcept override;
  std::string Explain(int error) const override;

 private:
  const EventSet set_;
  std::vector<size_t> sizes_;
};

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_THREAD_GROUPS_H_
