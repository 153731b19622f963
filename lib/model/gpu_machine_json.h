// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_MODEL_GPU_MACHINE_JSON_H_
#define ROOFMARK_LIB_MODEL_GPU_MACHINE_JSON_H_

#include "lib/model/gpu_machine.h"
#include "lib/profile/json_document.h"

namespace roofmark {

Json GpuToJson(const GpuMachine& gpu);
// What is wrong with it the node's document keeps.
GpuMachine GpuFromJson(const JsonNode& node);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_GPU_MACHINE_JSON_H_
