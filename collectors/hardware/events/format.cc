// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace roofmark::events {
namespace {

constexpr std::string_view kWords[] = {"config", "config1", "config2"};

bool ParseBit(std::string_view text, uint32_t& bit) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bit);
  return error == std::errc() && end == text.data() + text.size() && bit < 64;
}

uint64_t Mask(uint32_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace

uint32_t FormatField::Bits() const {
  uint32_t bits = 0;
  for (const auto& [first, last] : ranges) bits += last - first + 1;
  return bits;
}

Result<FormatField> ParseFormatField(std::string_view text) {
  const Error malformed{fmt::format("\"{}\" is not a description of bits", text)};
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return malformed;
  const auto word = std::find(std::begin(kWords), std::end(kWords), text.substr(0, colon));
  if (word == std::end(kWords)) return malformed;
  FormatField field;
  field.word = static_cast<uint32_t>(word - std::begin(kWords));
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view range = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t dash = range.find('-');
    uint32_t first = 0;
    if (!ParseBit(range.substr(0, dash), first)) return malformed;
    uint32_t last = first;
    if (dash != std::string_view::npos && !ParseBit(range.substr(dash + 1), last)) return malformed;
    if (last < first) return malformed;
    field.ranges.emplace_back(first, last);
  }
  if (field.ranges.empty()) return malformed;
  return field;
}

Result<ConfigWords> SetField(ConfigWords words, const Format& format, std::string_view name,
                             uint64_t value, std::string_view device) {
  const auto found = format.find(name);
  if (found == format.end()) {
    const auto word = std::find(std::begin(kWords), std::end(kWords), name);
    if (word != std::end(kWords)) {
      words[static_cast<size_t>(word - std::begin(kWords))] = value;
      return words;
    }
    std::string known;
    for (const auto& [field, bits] : format) known += (known.empty() ? "" : ", ") + field;
    return Error{fmt::format("device {} has no field \"{}\": its format has {}", device, name,
                             known.empty() ? "none" : known)};
  }
  const FormatField& field = found->second;
  if ((value & ~Mask(field.Bits())) != 0)
    return Error{fmt::format("{}=0x{:x} does not fit: field {} of device {} has {} bits", name,
                             value, name, device, field.Bits())};
  for (const auto& [first, last] : field.ranges) {
    const uint64_t mask = Mask(last - first + 1);
    words[field.word] = (words[field.word] & ~(mask << first)) | (value & mask) << first;
    value = last - first + 1 >= 64 ? 0 : value >> (last - first + 1);
  }
  return words;
}

}  // namespace roofmark::events
