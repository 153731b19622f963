// SPDX-License-Identifier: BSD-3-Clause
//
// Executed code and plans of nests as text: versioned JSON, which docs/file-formats.md describes.
// Errors follow those of RooflineFromJson; `name` is the file's name in them.
#ifndef ROOFMARK_LIB_FOUND_FOUND_JSON_H_
#define ROOFMARK_LIB_FOUND_FOUND_JSON_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"

namespace roofmark {

std::string ExecutedToJson(const Executed& executed);
Result<Executed> ExecutedFromJson(std::string_view text, const std::string& name);

std::string NestPlanToJson(const NestPlan& plan);
Result<NestPlan> NestPlanFromJson(std::string_view text, const std::string& name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_FOUND_JSON_H_
