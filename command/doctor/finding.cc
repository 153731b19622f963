// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace roofmark::cli {

std::string_view StateName(State state) {
  constexpr std::string_view kNames[] = {"ok", "limited", "denied", "unsupported", "missing"};
  return kNames[static_cast<size_t>(state)];
}

const Finding* Find(const Findings& findings, std::string_view id) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& finding) { return finding.id == id; });
  return found == findings.end() ? nullptr : &*found;
}

std::string ErrnoName(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr ? name : fmt::format("errno {}", error);
}

}  // namespace roofmark::cli
