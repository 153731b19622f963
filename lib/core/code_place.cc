// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/code_place.h"

#include <fmt/format.h>

#include <charconv>

namespace roofmark {
namespace {

constexpr std::string_view kHex = "0x";

// Of one place; nothing if the text does not begin like one.
std::optional<CodePlace> ParseOne(std::string_view text) {
  if (!text.starts_with(kHex)) return std::nullopt;
  text.remove_prefix(kHex.size());
  CodePlace place;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), place.offset, 16);
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  if (text.size() < 2 || text.front() != '@') return std::nullopt;
  place.file = text.substr(1);
  return place;
}

}  // namespace

std::optional<std::vector<CodePlace>> ParseCodePlaces(std::string_view text) {
  std::vector<CodePlace> places;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    if (std::optional<CodePlace> place = ParseOne(piece)) {
      places.push_back(std::move(*place));
    } else if (places.empty()) {
      return std::nullopt;
    } else {
      places.back().file += ',';
      places.back().file += piece;
    }
    if (comma == std::string_view::npos) return places;
    text.remove_prefix(comma + 1);
  }
}

std::string TextOf(std::span<const CodePlace> places) {
  std::string text;
  for (const CodePlace& place : places) {
    text += fmt::format("{}{:#x}@{}", text.empty() ? "" : ",", place.offset, place.file);
  }
  return text;
}

}  // namespace roofmark
