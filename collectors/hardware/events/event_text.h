// SPDX-License-Identifier: BSD-3-Clause
//
// Events as text: the kernel's "event=0x04,umask=0x03", a user's "uncore_imc/event=4,umask=3/", and
// lists of them.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_EVENT_TEXT_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_EVENT_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::events {

struct FieldValue {
  std::string name;
  std::optional<uint64_t> value;  // none: the name of an event, or a field of one bit
};

// "event=0x04,umask=3,inv". Numbers are decimal or hexadecimal with 0x.
Result<std::vector<FieldValue>> ParseFields(std::string_view text);

struct PmuText {
  std::string device;
  std::vector<FieldValue> fields;
};

// "device/fields/", with nothing after the second slash.
Result<PmuText> ParsePmuText(std::string_view text);
inline bool IsPmuText(std::string_view text) { return text.find('/') != std::string_view::npos; }

// Splits a user's list (ROOFMARK_EVENTS) at commas outside of slashes; blanks around are dropped.
std::vector<std::string> SplitEventList(std::string_view list);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_EVENT_TEXT_H_
