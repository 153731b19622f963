// SPDX-License-Identifier: BSD-3-Clause
//
// Values of settings, given as options or as variables, checked before anything is executed: what
// an execution refuses, or ignores, is found when hours have passed.
#ifndef ROOFMARK_COMMAND_RUN_VALUES_H_
#define ROOFMARK_COMMAND_RUN_VALUES_H_

#include <string>
#include <string_view>

namespace roofmark::cli {

// Why the setting `key` cannot have this value, as a clause that says what it takes; empty: it can.
// `key` is as in lib/core/settings.h.
std::string WhyUnusable(std::string_view key, const std::string& value);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_VALUES_H_
