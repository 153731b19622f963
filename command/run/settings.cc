// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "command/run/values.h"
#include "lib/core/collector_names.h"
#include "lib/core/settings.h"
#include "lib/core/settings_table.h"

namespace roofmark::cli {
namespace {

constexpr std::string_view kFileWouldBeRemoved =
    "its file would lie among those of the executions, which are removed; set it without "
    "`roofmark run`";

constexpr Treatment kTreatments[] = {
    {"collector", Goes::kAsOption, "--collector"},
    {"regions", Goes::kToAll, "--regions"},
    {"children", Goes::kAsOption, "--children"},
    {"group", Goes::kToFirst, "--groups"},
    {"events", Goes::kToFirst, "--groups"},
    {"package_events", Goes::kToFirst},
    {"rotate", Goes::kToFirst},
    {"sync", Goes::kToFirst},
    {"kernel", Goes::kToFirst},
    {"output", Goes::kAsOption, "-o"},
    {"visits", Goes::kToAll, "--visits"},
    {"count", Goes::kAsOption, "--count"},
    {"engine", Goes::kAsOption, "--engine"},
    {"outside", Goes::kToWork},
    {"cache", Goes::kAsOption, "--cache"},
    {"sample", Goes::kAsOption, "--sample"},
    {"latencies", Goes::kToWork},
    {"adapters", Goes::kAsOption, "--adapters"},
    {"executed", Goes::kToNothing, "", "`roofmark run` asks for executed code where it needs it"},
    {"nests", Goes::kToWork},
    {"functions", Goes::kToWork},
    {"merge", Goes::kToAll},
    {"detail", Goes::kToNothing, "", kFileWouldBeRemoved},
    {"spool", Goes::kToAll},
    {"snapshot", Goes::kToAll},
    {"samples", Goes::kToNothing, "", kFileWouldBeRemoved},
    {"places", Goes::kToNothing, "", "`roofmark run --auto` chooses places itself"},
    {"machine_dir", Goes::kToAll},  // this command reads it; to the program it is nothing
    {"tool_dir", Goes::kToWork},
    {"strict", Goes::kToAll},
    {"quiet", Goes::kToAll},
};

// The text that an option has; empty: it was not given.
std::string Given(const RunOptions& options, std::string_view key) {
  if (key == "collector") return options.collector;
  if (key == "output") return options.output;
  if (key == "regions") return options.regions;
  if (key == "group" || key == "events") return options.groups;
  if (key == "visits") return options.visits;
  if (key == "children" && options.forked) return "on";
  if (key == "adapters") return options.adapters;
  if (key == "engine") return options.engine;
  if (key == "count") return options.count;
  if (key == "cache") return options.cache;
  if (key == "sample" && options.sample > 0) return std::to_string(options.sample);
  return {};
}

void Take(const std::string& value, std::string_view key, RunOptions& options) {
  if (key == "collector") options.collector = value;
  if (key == "output") options.output = value;
  if (key == "children") ParseSwitch(value, options.forked);
  if (key == "adapters") options.adapters = value;
  if (key == "engine") options.engine = value;
  if (key == "count") options.count = value;
  if (key == "cache") options.cache = value;
  if (key == "sample") options.sample = static_cast<uint32_t>(std::stoul(value));
}

// Of the settings of the table alone: others are the program's to complain about.
std::vector<const char*> KnownVariables(const char* const* environment) {
  std::vector<const char*> known;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view name(*environment, std::strcspn(*environment, "="));
    const bool in_table =
        std::any_of(std::begin(kTreatments), std::end(kTreatments),
                    [name](const Treatment& row) { return name == VariableName(row.key); });
    if (in_table || name == "ROOFMARK") known.push_back(*environment);
  }
  known.push_back(nullptr);
  return known;
}

class Planner {
 public:
  Planner(const ParsedSettings& user, RunOptions& options) : user_(user), options_(options) {}

  SettingsPlan Make() {
    plan_.first["ROOFMARK"] = plan_.work["ROOFMARK"] = std::nullopt;
    plan_.sentences = user_.problems;
    if (RefusesValues()) return std::move(plan_);
    for (const Treatment& row : kTreatments) {
      const std::string name = VariableName(row.key);
      plan_.first[name] = plan_.work[name] = std::nullopt;
      const auto given = user_.settings.given.find(std::string(row.key));
      if (given != user_.settings.given.end()) Place(row, name, given->second);
    }
    return std::move(plan_);
  }

 private:
  // Every value is looked at before anything is executed.
  bool RefusesValues() {
    std::vector<std::string> bad;
    const auto add = [&bad](const std::string& setting, const std::string& why) {
      bad.push_back(fmt::format("{} cannot be used: {}", setting, why));
    };
    for (const MalformedSetting& each : user_.malformed) add(each.setting, each.why);
    for (const auto& [key, value] : user_.settings.given) {
      const std::string why = WhyUnusable(key, value);
      if (!why.empty()) add(fmt::format("{}={}", VariableName(key), value), why);
    }
    if (bad.empty()) return false;
    plan_.sentences = std::move(bad);
    return plan_.refused = true;
  }

  void Refuse(const std::string& name, const std::string& value, const std::string& why) {
    plan_.sentences.push_back(
        fmt::format("{}={} in the environment is not used: {}", name, value, why));
  }

  void Place(const Treatment& row, const std::string& name, const std::string& value) {
    const std::string stronger = Given(options_, row.key);
    if (!stronger.empty()) {
      if (stronger != value) {
        Refuse(name, value, fmt::format("{} {} was given", row.option, stronger));
      }
      return;
    }
    if (row.key == "output" && value.find('%') != std::string::npos) {
      return Refuse(name, value, "`roofmark run` writes one file whose name is no pattern (-o)");
    }
    if (options_.find && (row.key == "nests" || row.key == "functions")) {
      return Refuse(name, value, "--auto chooses loops and functions itself");
    }
    if (options_.one_execution && row.key == "visits") {
      return Refuse(name, value, "--one-execution chooses visits itself");
    }
    if (options_.exact && row.key == "visits") {
      return Refuse(name, value, "--exact models all visits");
    }
    // `collector` stands first in the table.
    if (row.goes == Goes::kToFirst && !ReadsCounters()) {
      const std::string option = options_.one_execution
                                     ? std::string("--one-execution")
                                     : fmt::format("--collector {}", options_.collector);
      return Refuse(name, value, fmt::format("{} reads no hardware counters", option));
    }
    if (row.goes == Goes::kToNothing) {
      return value == "off" ? void() : Refuse(name, value, std::string(row.why));
    }
    if (row.goes == Goes::kAsOption) return Take(value, row.key, options_);
    if (row.goes != Goes::kToWork) plan_.first[name] = value;
    if (row.goes != Goes::kToFirst) plan_.work[name] = value;
  }

  bool ReadsCounters() const {
    return !options_.one_execution && options_.collector != "timer" &&
           !RunsUnderEngine(options_.collector);
  }

  const ParsedSettings& user_;
  RunOptions& options_;
  SettingsPlan plan_;
};

// Any other variable turns recording on.
bool IsFilledSwitch(const char* entry) {
  constexpr std::string_view kName = "ROOFMARK=";
  return std::string_view(entry).starts_with(kName) && entry[kName.size()] != '\0';
}

}  // namespace

std::span<const Treatment> Treatments() { return kTreatments; }

std::string BadValue(const RunOptions& options) {
  for (const Treatment& row : kTreatments) {
    const std::string value = Given(options, row.key);
    const std::string why = value.empty() ? value : WhyUnusable(row.key, value);
    if (!why.empty()) return fmt::format("{} {} cannot be used: {}", row.option, value, why);
  }
  return {};
}

SettingsPlan PlanSettings(const char* const* environment, RunOptions& options) {
  const std::vector<const char*> known = KnownVariables(environment);
  const ParsedSettings user = ParseSettings(known.data());
  SettingsPlan plan = Planner(user, options).Make();
  if (plan.refused) return plan;
  plan.refused = user.settings.strict && !user.problems.empty();
  if (!user.settings.on && std::any_of(known.begin(), known.end() - 1, IsFilledSwitch)) {
    plan.sentences.push_back(
        "ROOFMARK=off in the environment is not used: `roofmark run` records (leave it out to "
        "execute the program alone)");
  }
  if (options.collector.empty()) options.collector = "auto";
  return plan;
}

}  // namespace roofmark::cli
