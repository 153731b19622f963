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

struct DevicePeaks {
  Value dp_gflops, sp_gflops;  // with every instruction an FMA, without tensor cores
  Value dram_gbytes_per_s;
};

DevicePeaks PeaksOf(const DeviceProperties& properties);

// The same for a ceiling of a GPU (gpu_machine.h), in its unit: what data sheets give. 0 where they
// give nothing.
double DataSheetOf(std::string_view ceiling_id, const DeviceProperties& properties);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_PEAKS_H_
