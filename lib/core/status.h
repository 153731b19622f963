// SPDX-License-Identifier: BSD-3-Clause
//
// How a number came to be. Every value that roofmark stores carries one; a value that is missing
// carries the reason instead.
#ifndef ROOFMARK_LIB_CORE_STATUS_H_
#define ROOFMARK_LIB_CORE_STATUS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofmark {

// Ordered from most to least trustworthy: Worst() of several is the largest.
enum class Status : uint8_t {
  kMeasured,        // counted or timed
  kScaled,          // measured during part of the time or of the visits and scaled up
  kModelled,        // from the counting engine's cache model
  kDeclared,        // stated by the application
  kMixedPrecision,  // the counter mixes precisions
  kDenied,          // no permission
  kUnsupported,     // this machine or collector has no such counter
  kInvalid,         // read, but outside what is physically possible
};

constexpr uint32_t Bit(Status status) { return 1u << static_cast<uint32_t>(status); }

// Names as they stand in files: "measured", "scaled", "modelled", "declared", "mixed-precision",
// "denied", "unsupported", "invalid".
std::string_view StatusName(Status status);
std::optional<Status> ParseStatus(std::string_view name);

// The least trustworthy status in a set of Bit()s; kUnsupported for the empty set.
Status Worst(uint32_t bits);

// True if a number with this status may be printed.
constexpr bool HasValue(Status status) { return status < Status::kDenied; }

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_STATUS_H_
