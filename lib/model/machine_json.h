// SPDX-License-Identifier: BSD-3-Clause
//
// The machine file as text: versioned JSON, described by docs/machine.schema.json.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_JSON_H_
#define ROOFMARK_LIB_MODEL_MACHINE_JSON_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"
#include "lib/model/machine.h"

namespace roofmark {

// Pretty-printed, keys in a stable order, numbers never NaN or inf.
std::string MachineToJson(const Machine& machine);

// `name` is the file's name for error messages, which follow those of RooflineFromJson.
Result<Machine> MachineFromJson(std::string_view text, const std::string& name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_JSON_H_
