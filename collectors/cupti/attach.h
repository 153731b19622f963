// SPDX-License-Identifier: BSD-3-Clause
//
// From a CUDA context to the device that it is on, and to a session that counts in it.
#ifndef ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_
#define ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_

#include <memory>
#include <string>
#include <vector>

#include "collectors/cupti/library.h"
#include "collectors/cupti/metrics.h"
#include "collectors/cupti/session.h"
#include "lib/counts/device.h"

namespace roofmark::cupti {

// A context that was seen. Exists even where nothing can be counted in it.
struct Attached {
  std::string uuid, name, chip;      // of the device; empty where it does not say
  std::unique_ptr<Session> session;  // nullptr: `error` says why
  std::string error;

  std::string WhyNot() const { return session == nullptr ? error : session->failed(); }
};

// Never fails: see Attached::error.
Attached Attach(const Library& library, Context context, Group group);

// Of all contexts, device by device. What one context could not count, the device has not.
std::vector<counts::DeviceCounts> CountsByDevice(const std::vector<Attached>& contexts);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_
