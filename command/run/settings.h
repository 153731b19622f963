// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of the settings that the user has in the environment (ROOFMARK, ROOFMARK_<KEY>):
// each goes to the executions that it concerns, or stands for an option, or the conflict is named
// before anything is executed. One table says which.
#ifndef ROOFMARK_COMMAND_RUN_SETTINGS_H_
#define ROOFMARK_COMMAND_RUN_SETTINGS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command/run/options.h"

namespace roofmark::cli {

enum class Goes : uint8_t {
  kAsOption,   // as the option that the command line does not have
  kToFirst,    // to the execution that reads hardware counters
  kToWork,     // to the execution under the counting engine
  kToAll,      // to all of them
  kToNothing,  // it is named: it fits no execution of this command
};

struct Treatment {
  std::string_view key;  // as in lib/core/settings.h
  Goes goes;
  std::string_view option = "";  // what says the same on the command line and is stronger
  std::string_view why = "";     // of kToNothing, a clause
};

// A row for each setting.
std::span<const Treatment> Treatments();

// Why the value of an option is none of the setting for which it stands, in one sentence that says
// what it takes; empty: all are.
std::string BadValue(const RunOptions& options);

struct SettingsPlan {
  // What an execution has in place of the user's variables; std::nullopt: it has none.
  using Variables = std::map<std::string, std::optional<std::string>>;
  Variables first, work;
  std::vector<std::string> sentences;  // to be said before anything is executed
  bool refused = false;                // a value is not one of its setting
};

// `environment` is like environ. Fills in what `options` leaves open.
SettingsPlan PlanSettings(const char* const* environment, RunOptions& options);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_SETTINGS_H_
