// SPDX-License-Identifier: BSD-3-Clause
//
// What an accelerator can do at most, by what its driver says of it: lanes x clock, and the width
// of its memory's bus x clock. Nothing of it was measured; no kernel reaches it. A roof that was
// measured would be lower.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_PEAKS_H_
#define ROOFMARK_LIB_MODEL_DEVICE_PEAKS_H_

#include <string_view>

#include "lib/core/device_properties.h"
#include "lib/model/value.h"

namespace roofmark {

inline constexpr char kByProperties[] = "properties";  // origin of these values

// Of a ceiling of a GPU (gpu_machine.h), in its unit, or why nothing is known.
Value PeakOf(std::string_view ceiling_id, const DeviceProperties& properties);

// The same as data sheets give it; 0 where they give nothing.
double DataSheetOf(std::string_view ceiling_id, const DeviceProperties& properties);

// Warps that a multiprocessor can hold; 0: not known.
uint32_t MaxWarpsOf(const DeviceProperties& properties);

// Of all multiprocessors at their highest clock; 0: not known. In each cycle a multiprocessor
// issues at most one instruction of a warp from each of its four schedulers, and does one wavefront
// of shared memory: 32 banks of 4 bytes (CUDA C++ Programming Guide, compute capabilities 7.0 and
// up).
double CyclesASecond(const DeviceProperties& properties);
inline constexpr double kSchedulers = 4;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_PEAKS_H_
