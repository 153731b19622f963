// SPDX-License-Identifier: BSD-3-Clause
//
// The table of settings: what lib/core/settings.cc reads.
#ifndef ROOFMARK_LIB_CORE_SETTINGS_TABLE_H_
#define ROOFMARK_LIB_CORE_SETTINGS_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/settings.h"

namespace roofmark {

struct SettingRow {
  SettingInfo info;
  // Returns false for a malformed value and then leaves the setting alone.
  bool (*parse)(std::string_view text, Settings& settings);
  // What is wrong with a malformed value, as a clause; nullptr: its values say it.
  std::string (*why_not)(std::string_view text) = nullptr;
  // What follows where a malformed value is ignored: ", so ..."; empty: the default says it.
  std::string_view otherwise = "";
  bool of_command = false;  // means nothing to a process that records, and turns nothing on
};

// In the order of docs/settings.md.
const std::vector<SettingRow>& SettingRows();

// False if `text` is no switch.
bool ParseSwitch(std::string_view text, bool& value);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SETTINGS_TABLE_H_
