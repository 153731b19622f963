// SPDX-License-Identifier: BSD-3-Clause
//
// An event's total from its mapped page and the counter itself, without a system call: the protocol
// of perf_event_mmap_page. Right only on the thread that is counted.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_PAGE_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_PAGE_H_

#include <linux/perf_event.h>

#include <cstdint>

namespace roofmark::perf {

struct PageReading {
  uint64_t value = 0, enabled_ns = 0, running_ns = 0;
};

// The kernel allows it for this event, and this is an architecture whose counters roofmark can
// read.
bool CanReadInUserSpace(const perf_event_mmap_page& page) noexcept;

// False if the event is on no counter now, or if its times cannot be known from here.
bool ReadPage(const perf_event_mmap_page& page, PageReading& reading) noexcept;

// What the kernel did not write into the page yet: `offset` plus a counter of `width` bits that
// counts up from a negative number.
uint64_t AddCounter(int64_t offset, uint64_t counter, unsigned width) noexcept;

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_PAGE_H_
