// SPDX-License-Identifier: BSD-3-Clause
//
// What every thread counts: sets of PAPI's, then groups of the kernel's for what PAPI cannot name.
#ifndef ROOFMARK_COLLECTORS_PAPI_SOURCE_H_
#define ROOFMARK_COLLECTORS_PAPI_SOURCE_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/perf/thread_groups.h"
#include "collectors/hardware/threads/counters.h"

namespace roofmark::papi {

struct Sets {
  std::vector<std::vector<int>> codes;  // of PAPI's; the first counts, others only by turns
  size_t natives = 0;                   // descriptors of the first to the last set
  perf::EventSet kernels;               // possibly none
  bool in_turns = false;                // one at a time counts

  size_t Descriptors() const { return natives + kernels.events(); }
};

class PapiSource final : public threads::Source {
 public:
  explicit PapiSource(Sets sets);

  const std::vector<size_t>& Groups() const override { return sizes_; }
  size_t Descriptors() const override { return sets_.Descriptors(); }
  size_t KeptOpen() const override { return kept_open_.load(); }
  // Failures are PAPI's (negative) or errno's.
  std::unique_ptr<threads::Counters> Open(pid_t tid,
                                          threads::OpenFailure& failure) noexcept override;
  std::string Explain(int error) const override;

 private:
  const Sets sets_;
  perf::ThreadGroups kernels_;
  std::vector<size_t> sizes_;
  std::atomic<size_t> kept_open_{0};
  std::atomic<size_t> opened_{0};  // threads, ever
};

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_PAPI_SOURCE_H_
