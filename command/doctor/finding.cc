// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lib/core/table.h"

namespace roofmark::cli {
namespace {

constexpr Named<State> kStateNames[] = {{State::kOk, "ok"},
                                        {State::kLimited, "limited"},
                                        {State::kDenied, "denied"},
                                        {State::kUnsupported, "unsupported"},
                                        {State::kMissing, "missing"}};
static_assert(InOrder(kStateNames, State::kMissing));

}  // namespace

std::string_view StateName(State state) { return RowOf(kStateNames, state).name; }

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
