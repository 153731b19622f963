// SPDX-License-Identifier: BSD-3-Clause
//
// What to do first on the devices of a run: each shortfall of each region, by the seconds that it
// may save. Deterministic: equal profiles give equal advice.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_ADVICE_H_
#define ROOFMARK_LIB_MODEL_DEVICE_ADVICE_H_

#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/device_shortfall.h"
#include "lib/model/device_split.h"
#include "lib/model/time_split.h"

namespace roofmark {

// What a region would need less on its device in this run: at least, if the time that no resource
// explains stays; at most, if it shrinks as well. Never more than the part of its time in which the
// shortfall lies.
TimeInterval SavedOnDevice(DeviceShortfall shortfall, const DeviceSplit& split,
                           const DeviceWork& work);

// Of each region: most of what the device did lies in regions right below.
std::vector<bool> FramesOnDevice(const std::vector<DeviceDerivation>& regions);

struct DeviceGain {
  DeviceShortfall shortfall = DeviceShortfall::kFma;
  TimeInterval saves;
  // Between the two: the more of the kernels' time is explained, the nearer to the upper end; in
  // the middle of what rests on time that is not.
  double expected_s = 0;
};
// Of the shortfalls that the region has, in the order of their table.
std::vector<DeviceGain> GainsOnDevice(const DeviceDerivation& of);

struct DeviceAdvice {
  size_t device = 0, path = 0;  // of the run, of the profile
  DeviceGain gain;
};

// Sorted by expected seconds over effort. What is expected to save less than 1 % of the run is left
// out, and so is a region most of whose time lies in regions below it. Of several devices the one
// on which a shortfall of a region costs most.
std::vector<DeviceAdvice> DeviceAdviceFor(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_ADVICE_H_
