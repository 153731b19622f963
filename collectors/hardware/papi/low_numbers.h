// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI opens events under the lowest free numbers, which the application counts on, and leaves them
// open in programs that are executed. Its descriptors cannot be moved.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_LOW_NUMBERS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_LOW_NUMBERS_H_

#include <cstddef>
#include <vector>

#include "lib/core/event_descriptor.h"

namespace roofmark::papi {

// While one lives no low number is free, so that PAPI takes high ones as far as there are any; the
// events that it opened are close-on-exec afterwards. Other threads get high numbers meanwhile, and
// wait if they fork. One at a time; it waits for others. Some twenty system calls, and two for each
// of the events.
class LowNumbersTaken {
 public:
  // At most `events` will be opened.
  explicit LowNumbersTaken(size_t events) noexcept;
  ~LowNumbersTaken();
  LowNumbersTaken(const LowNumbersTaken&) = delete;
  LowNumbersTaken& operator=(const LowNumbersTaken&) = delete;

  // The events that PAPI has opened meanwhile. A few may be missing if no high number was free.
  std::vector<EventDescriptor> Opened() const;

 private:
  std::vector<int> low_;
  std::vector<int> next_;  // the numbers that come then
};

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_LOW_NUMBERS_H_
