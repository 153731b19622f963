// SPDX-License-Identifier: BSD-3-Clause
//
// One file of a device's format/: where a field's bits go in perf_event_attr.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_FORMAT_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_FORMAT_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::events {

// config, config1, config2.
using ConfigWords = std::array<uint64_t, 3>;

struct FormatField {
  uint32_t word = 0;  // of ConfigWords
  std::vector<std::pair<uint32_t, uint32_t>>
      ranges;  // first and last bit, low bits of values first

  uint32_t Bits() const;
};

using Format = std::map<std::string, FormatField, std::less<>>;

// "config:0-7,32-35", "config1:3".
Result<FormatField> ParseFormatField(std::string_view text);

// Puts `value` into the field's bits, clearing what was there. `device` is for the error, which
// names the field and what it can hold. A name that is not in the format may be a whole word:
// "config", "config1", "config2".
Result<ConfigWords> SetField(ConfigWords words, const Format& format, std::string_view name,
                             uint64_t value, std::string_view device);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_FORMAT_H_
