// SPDX-License-Identifier: BSD-3-Clause
//
// The memory controllers of one package: their events opened on one of the package's CPUs, or taken
// over from the process that opened them.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CONTROLLERS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CONTROLLERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/hardware/package/plan.h"
#include "collectors/hardware/package/reader.h"
#include "collectors/hardware/perf/group.h"
#include "collectors/hardware/threads/delta.h"
#include "lib/core/result.h"

namespace roofmark::package {

// A group as it travels between processes: its events' descriptors travel beside it.
struct GroupPass {
  uint32_t count = 0;
  std::array<uint32_t, perf::kMostInGroup> events;  // of Plan::events
  std::array<uint64_t, perf::kMostInGroup> ids;
};

class Controllers {
 public:
  // Opens what `plan` has in the package: at most as many descriptors as events. All or nothing;
  // the error is a sentence with cause and cure. `root` is put before /sys.
  static Result<Controllers> Open(const Plan& plan, uint32_t package, size_t budget,
                                  const std::string& root = "");
  // Takes the descriptors: one for each event of the passes, in order. `reader` has what cannot be
  // passed on, if there is anything.
  static Controllers Adopt(const std::vector<GroupPass>& passes,
                           const std::vector<int>& descriptors,
                           std::shared_ptr<Reader> reader = nullptr);

  std::vector<GroupPass> Passes() const;
  std::vector<EventDescriptor> Descriptors() const;
  const std::shared_ptr<Reader>& reader() const { return reader_; }

  // One read per group, from any process that has it, and one of the reader. `totals` by number of
  // Plan::events: those that the package does not have are left alone. False if one cannot be read.
  bool Read(threads::Total* totals) const noexcept;
  // Events of the plan that the package has.
  std::vector<uint32_t> Events() const;
  // Of a forked child.
  void CloseInChild() noexcept;

 private:
  struct Opened {
    perf::Group group;
    std::vector<uint32_t> events;
  };
  bool ReadReader(threads::Total* totals) const noexcept;

  std::vector<Opened> groups_;
  std::shared_ptr<Reader> reader_;
  mutable std::vector<threads::Total> of_reader_;  // the caller serialises
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CONTROLLERS_H_
