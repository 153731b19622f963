// SPDX-License-Identifier: BSD-3-Clause
//
// From a CUDA context to the device that it is on, and to a session that counts in it.
#ifndef ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_
#define ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collectors/cupti/library.h"
#include "collectors/cupti/metrics.h"
#include "collectors/cupti/session.h"
#include "collectors/cupti/trace.h"
#include "lib/counts/device.h"

namespace roofmark::cupti {

// A context that was seen. Exists even where nothing can be counted in it.
struct Attached {
  std::string uuid, name, chip;  // of the device; empty where it does not say
  DeviceProperties properties;
  std::unique_ptr<Session> session;  // counts in it; or
  const Trace* trace = nullptr;      // records in it, as its context of this number; or
  size_t traced = 0;
  std::string error;  // says why not

  std::string WhyNot() const;
  const std::map<uint32_t, counts::DeviceSums>& Sums() const;  // where it counts or records
};

// Never fails: see Attached::error. With `trace` there is no session.
Attached Attach(const Library& library, Context context, Group group, Trace* trace);

// Of all contexts, device by device. What one context could not count, the device has not.
// `around`: what may be why; empty: nothing is known.
std::vector<counts::DeviceCounts> CountsByDevice(const std::vector<Attached>& contexts,
                                                 const std::string& around);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_ATTACH_H_
