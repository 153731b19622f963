// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lib/core/nearest.h"
#include "lib/core/settings_table.h"
#include "lib/core/trim.h"
#include "lib/core/wrap_text.h"

namespace roofmark {
namespace {

const SettingRow* FindRow(std::string_view key) {
  for (const SettingRow& row : SettingRows()) {
    if (row.info.key == key) return &row;
  }
  return nullptr;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

constexpr std::string_view kBlank = " \t";

// Empty: none is like it.
std::string_view NearestKey(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : SettingRows()) keys.push_back(row.info.key);
  return NearestWord(key, keys);
}

// A clause: what is wrong with a value that `row` does not take.
std::string WhyNot(const SettingRow& row, std::string_view value) {
  const std::string takes = fmt::format("it takes {}", row.info.values);
  return row.why_not == nullptr ? takes : row.why_not(value) + "; " + takes;
}

// Names the setting as the user wrote it, with its value or without.
using Written = std::string (*)(std::string_view name, std::string_view value);

std::string AsVariable(std::string_view name, std::string_view value) {
  return value.empty() ? std::string(name) : fmt::format("{}={}", name, value);
}

std::string InCombined(std::string_view key, std::string_view value) {
  return fmt::format("`{}` in ROOFMARK", AsVariable(key, value));
}

void Apply(std::string_view name, const std::string& key, std::string_view value, Written written,
           ParsedSettings& parsed) {
  const SettingRow* row = FindRow(key);
  if (row == nullptr) {
    const std::string_view near = NearestKey(key);
    parsed.problems.push_back(
        near.empty()
            ? fmt::format("{} is not a setting of roofmark and is ignored; `roofmark settings` "
                          "lists all settings",
                          written(name, ""))
            : fmt::format("{} is not a setting of roofmark and is ignored; did you mean {}?",
                          written(name, ""), VariableName(near)));
    return;
  }
  if (!row->parse(value, parsed.settings)) {
    const std::string setting = written(name, value), why = WhyNot(*row, value);
    parsed.problems.push_back(
        fmt::format("{} is malformed and is ignored{}: {}", setting, row->otherwise, why));
    if (!value.empty()) parsed.malformed.push_back({setting, why});
    return;
  }
  if (!row->of_command) parsed.settings.given[key] = value;
}

// ROOFMARK itself: on, off, or "key=value;key=value".
void ApplyCombined(std::string_view text, ParsedSettings& parsed) {
  bool on = true;
  if (text.empty()) return;
  if (ParseSwitch(text, on)) {
    parsed.settings.on = on;
    return;
  }
  parsed.settings.on = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view item = Trim(text.substr(0, end), kBlank);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      parsed.problems.push_back(fmt::format(
          "`{}` in ROOFMARK is ignored; it takes on, off or key=value;key=value", item));
      continue;
    }
    const std::string key = Lower(Trim(item.substr(0, equals), kBlank));
    Apply(key, key, Trim(item.substr(equals + 1), kBlank), &InCombined, parsed);
  }
}

}  // namespace

std::string WhyNotValue(std::string_view key, std::string_view value) {
  Settings ignored;
  const SettingRow* row = FindRow(key);
  return row == nullptr || row->parse(value, ignored) ? "" : WhyNot(*row, value);
}

std::string VariableName(std::string_view key) {
  std::string name = "ROOFMARK_";
  for (char c : key) name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

const std::vector<SettingInfo>& AllSettings() {
  static const auto& infos = *[] {
    auto* list = new std::vector<SettingInfo>;
    for (const SettingRow& row : SettingRows()) list->push_back(row.info);
    return list;
  }();
  return infos;
}

ParsedSettings ParseSettings(const char* const* environment) {
  constexpr std::string_view kName = "ROOFMARK";
  ParsedSettings parsed;
  std::string_view combined, output_of_run;
  bool combined_given = false;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, kName.data(), kName.size()) != 0) continue;
    const std::string_view entry = *environment;
    const size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
    if (name == kName) {
      combined = value;
      combined_given = true;
    } else if (name.size() > kName.size() && name[kName.size()] == '_') {
      if (name == kOutputOfRun) {
        output_of_run = value;
        continue;
      }
      const std::string key = Lower(name.substr(kName.size() + 1));
      const SettingRow* row = FindRow(key);
      if (row == nullptr || !row->of_command) parsed.settings.on = true;
      // Names that roofmark itself hands from one process image to the next.
      if (name.substr(0, 11) == "ROOFMARK___") continue;
      Apply(name, key, Trim(value, kBlank), &AsVariable, parsed);
    }
  }
  // Last, so that ROOFMARK=off wins over single settings that are left in an environment.
  if (combined_given) ApplyCombined(Trim(combined, kBlank), parsed);
  const std::string& output = parsed.settings.output;
  parsed.settings.of_run = !output.empty() && output == Trim(output_of_run, kBlank);
  return parsed;
}

std::string SettingsMarkdown() {
  constexpr size_t kWidth = 120;
  std::string text =
      "# Settings\n\n"
      "Generated from the table in `lib/core/settings_table.cc` by `roofmark settings "
      "--markdown`.\n\n"
      "Each setting is an environment variable `ROOFMARK_<KEY>`. `ROOFMARK` takes several settings "
      "in one variable:\n"
      "`ROOFMARK=\"collector=counting;count=threec\"`. If no `ROOFMARK*` variable is set, the "
      "library is off. Any setting\n"
      "but `ROOFMARK_MACHINE_DIR`, or `ROOFMARK=on`, turns it on. `ROOFMARK=off` overrides all "
      "others.\n";
  for (const SettingInfo& info : AllSettings()) {
    text += fmt::format("\n## `{}`\n\n{}\n\n- Values: {}\n- Default: {}\n", VariableName(info.key),
                        WrapText(info.doc, 0, 0, kWidth), info.values, info.default_text);
  }
  return text;
}

}  // namespace roofmark
