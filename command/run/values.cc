// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/values.h"

#include <sys/stat.h>

#include "collectors/counting/host_caches.h"
#include "lib/core/file.h"
#include "lib/core/settings.h"
#include "lib/found/found_json.h"

namespace roofmark::cli {
namespace {

std::string WhyNoNests(const std::string& file) {
  const Result<std::string> text = ReadFile(file);
  return text ? NestPlanFromJson(*text, file).error() : text.error();
}

std::string WhyNoDirectory(const std::string& path) {
  struct stat info;
  const bool is_there = stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  return is_there ? "" : "there is no such directory";
}

// What the table of settings takes as any text, and who uses it does not.
std::string WhyUserRefuses(std::string_view key, const std::string& value) {
  if (key == "cache") return WhyNotCaches(value);
  if (key == "latencies") return WhyNotLatencies(value);
  if (key == "nests") return WhyNoNests(value);
  if (key == "tool_dir") return WhyNoDirectory(value);
  return {};
}

std::string_view ValuesOf(std::string_view key) {
  for (const SettingInfo& info : AllSettings()) {
    if (info.key == key) return info.values;
  }
  return {};
}

}  // namespace

std::string WhyUnusable(std::string_view key, const std::string& value) {
  if (std::string why = WhyNotValue(key, value); !why.empty()) return why;
  std::string why = WhyUserRefuses(key, value);
  return why.empty() ? why : why + "; it takes " + std::string(ValuesOf(key));
}

}  // namespace roofmark::cli
