// SPDX-License-Identifier: BSD-3-Clause
//
// The samples file as text: versioned JSON, described by docs/samples.schema.json.
#ifndef ROOFMARK_LIB_SAMPLES_SAMPLES_JSON_H_
#define ROOFMARK_LIB_SAMPLES_SAMPLES_JSON_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"
#include "lib/samples/samples.h"

namespace roofmark {

std::string SamplesToJson(const Samples& samples);

// `name` is the file's name for error messages, which follow those of RooflineFromJson.
Result<Samples> SamplesFromJson(std::string_view text, const std::string& name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_SAMPLES_SAMPLES_JSON_H_
