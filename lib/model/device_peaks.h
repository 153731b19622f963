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

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_PEAKS_H_
