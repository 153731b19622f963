// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lib/core/trim.h"

namespace roofmark::events {
namespace {

std::optional<uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<std::vector<FieldValue>> ParseFields(std::string_view text) {
  std::vector<FieldValue> fields;
  for (std::string_view rest = Trim(text); !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view item = Trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t equal = item.find('=');
    FieldValue field{std::string(item.substr(0, equal)), std::nullopt};
    if (field.name.empty()) return Error{fmt::format("\"{}\" has a field without a name", text)};
    if (equal != std::string_view::npos) {
      field.value = ParseNumber(item.substr(equal + 1));
      if (!field.value)
        return Error{fmt::format(
            "\"{}\" in \"{}\" is not a number (decimal, or hexadecimal with 0x)", item, text)};
    }
    fields.push_back(std::move(field));
  }
  if (fields.empty()) return Error{"an event without fields"};
  return fields;
}

Result<PmuText> ParsePmuText(std::string_view text) {
  const size_t open = text.find('/');
  const size_t close = open == std::string_view::npos ? open : text.find('/', open + 1);
  if (open == 0 || close == std::string_view::npos)
    return Error{fmt::format("event \"{}\": expected device/field=value,.../", text)};
  if (close + 1 != text.size())
    return Error{
        fmt::format("event \"{}\": \"{}\" after the fields is unknown; ROOFMARK_KERNEL sets "
                    "whether the operating system is counted",
                    text, text.substr(close + 1))};
  Result<std::vector<FieldValue>> fields = ParseFields(text.substr(open + 1, close - open - 1));
  if (!fields) return Error{fmt::format("event \"{}\": {}", text, fields.error())};
  return PmuText{std::string(text.substr(0, open)), std::move(*fields)};
}

std::vector<std::string> SplitEventList(std::string_view list) {
  std::vector<std::string> events;
  std::string event;
  bool in_fields = false;
  const auto finish = [&] {
    const std::string_view trimmed = Trim(event);
    if (!trimmed.empty()) events.emplace_back(trimmed);
    event.clear();
  };
  for (const char c : list) {
    if (c == ',' && !in_fields) {
      finish();
      continue;
    }
    if (c == '/') in_fields = !in_fields;
    event += c;
  }
  finish();
  return events;
}

}  // namespace roofmark::events
