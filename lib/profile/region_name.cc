// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/region_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/hash.h"
#include "lib/core/limits.h"
#include "lib/core/utf8.h"

namespace roofmark {
namespace {

constexpr std::string_view kBlank = " \t\n\v\f\r";

bool IsReserved(std::string_view text) { return text == kOutsideName || text == kProgramName; }

bool IsControl(char32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

// Bytes of the character that `text` begins with, if a name may have it; otherwise 0.
size_t AllowedLength(std::string_view text) {
  const size_t length = Utf8SequenceLength(text);
  return length != 0 && IsControl(Utf8CodePoint(text.substr(0, length))) ? 0 : length;
}

// The longest beginning of at most `bytes` bytes that ends with a whole character.
std::string_view Beginning(std::string_view text, size_t bytes) {
  size_t end = 0;
  while (end < text.size()) {
    const size_t length = Utf8SequenceLength(text.substr(end));
    if (end + length > bytes) break;
    end += length;
  }
  return text.substr(0, end);
}

// Index of the separator before the last region, or npos for a root.
size_t LastSeparator(std::string_view path) {
  for (size_t i = path.size(); i-- > 0;) {
    if (path[i] != '/') continue;
    size_t backslashes = 0;
    while (backslashes < i && path[i - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

bool IsRegionName(std::string_view text) {
  if (IsReserved(text)) return false;
  if (text.size() > limits::kNameBytes) return false;
  if (text.find_first_not_of(kBlank) == std::string_view::npos) return false;
  while (!text.empty()) {
    const size_t length = AllowedLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string RegionName(std::string_view given) {
  if (given.find_first_not_of(kBlank) == std::string_view::npos) return std::string(kUnnamed);
  if (IsReserved(given)) return "region " + std::string(given);
  std::string name;
  for (std::string_view rest = given; !rest.empty();) {
    const size_t length = AllowedLength(rest);
    if (length == 0) {
      name += EscapedByte(rest[0]);
    } else {
      name.append(rest.substr(0, length));
    }
    rest.remove_prefix(std::max<size_t>(length, 1));
  }
  if (name.size() <= limits::kNameBytes) return name;
  const std::string end = fmt::format("~{:016x}", HashOf(given));
  return std::string(Beginning(name, limits::kNameBytes - end.size())) + end;
}

std::string EscapeRegionName(std::string_view name) {
  std::string escaped;
  for (char c : name) {
    if (c == '/' || c == '\\') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

std::string JoinPath(std::string_view parent, std::string_view name) {
  return std::string(parent) + "/" + EscapeRegionName(name);
}

std::string_view ParentPath(std::string_view path) {
  const size_t separator = LastSeparator(path);
  return separator == std::string_view::npos ? std::string_view() : path.substr(0, separator);
}

std::string LeafName(std::string_view path) {
  const size_t separator = LastSeparator(path);
  if (separator != std::string_view::npos) path.remove_prefix(separator + 1);
  std::string name;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size()) ++i;
    name.push_back(path[i]);
  }
  return name;
}

size_t PathDepth(std::string_view path) {
  size_t depth = 0;
  for (path = ParentPath(path); !path.empty(); path = ParentPath(path)) ++depth;
  return depth;
}

std::string WhyNoPath(std::string_view path) {
  if (path.size() > limits::kPathBytes) {
    return fmt::format("has {} bytes; at most {} are possible", path.size(), limits::kPathBytes);
  }
  size_t depth = 0;
  for (size_t separator = 0; separator != std::string_view::npos; ++depth) {
    separator = LastSeparator(path);
    if (separator + 1 == path.size() || path.empty()) return "has a region without a name";
    path = path.substr(0, separator == std::string_view::npos ? 0 : separator);
  }
  if (depth <= limits::kPathDepth) return {};
  return fmt::format("has {} regions inside each other; at most {} are possible", depth,
                     limits::kPathDepth);
}

}  // namespace roofmark
