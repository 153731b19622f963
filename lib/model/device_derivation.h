// SPDX-License-Identifier: BSD-3-Clause
//
// One region on one device, with what the roofline file stores of it.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_DERIVATION_H_
#define ROOFMARK_LIB_MODEL_DEVICE_DERIVATION_H_

#include <cstddef>
#include <vector>

#include "lib/model/device_roofs.h"
#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

// What formulas of accelerators may read.
struct DeviceDerivation {
  const JobProfile& job;
  const DeviceInfo& device;
  const DeviceRow& row;
  size_t path;               // its row in the job
  const DeviceRoofs& roofs;  // of the device
};

// Of each path in which the device worked, in the order of the job's.
std::vector<DeviceDerivation> RegionsOnDevice(const JobProfile& job, const DeviceInfo& device,
                                              const DeviceRoofs& roofs);

// Ranks of the job that are missing in the file, or died: what they did on devices is not known.
uint32_t RanksNotOnDevices(const JobProfile& job);

// A stored metric of one region. Counters of a whole device have no value if one of those ranks may
// have used it, too.
Value StoredOf(const DeviceDerivation& of, DeviceMetric metric);
// The same as a number; 0 where there is none.
double StoredOr0(const DeviceDerivation& of, DeviceMetric metric);

// What follows from stored metrics and from ceilings.
Value ModelledOnDevice(double number);

Value Times(const Value& a, double factor);
// a over b, or `if_zero` where b is 0.
Value Quotient(const Value& a, const Value& b, Reason if_zero);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_DERIVATION_H_
