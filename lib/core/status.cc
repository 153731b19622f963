// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/status.h"

#include <array>

namespace roofmark {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"measured",    "scaled",          "modelled",
                                                    "declared",    "mixed-precision", "denied",
                                                    "unsupported", "invalid"};

}  // namespace

std::string_view StatusName(Status status) { return kNames[static_cast<size_t>(status)]; }

std::optional<Status> ParseStatus(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Status>(i);
  }
  return std::nullopt;
}

Status Worst(uint32_t bits) {
  for (size_t i = kNames.size(); i-- > 0;) {
    if (bits & (1u << i)) return static_cast<Status>(i);
  }
  return Status::kUnsupported;
}

}  // namespace roofmark
