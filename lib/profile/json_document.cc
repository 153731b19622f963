// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofmark {
namespace {

// The files of roofmark need six levels. Deeper input is hostile or foreign, and printing it would
// recurse.
constexpr int kMaxDepth = 64;

// Length of the UTF-8 sequence at `text`, 0 if there is none (RFC 3629, table of well-formed
// sequences).
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

Error Foreign(const std::string& file, const DocumentKind& kind, std::string_view why) {
  return {fmt::format("{} is no {}: {}; {}", file, kind.name, why, kind.cure)};
}

Error Unparsable(std::string_view text, const std::string& file, const DocumentKind& kind,
                 size_t byte) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return {fmt::format("{} is empty; {}", file, kind.cure)};
  }
  if (byte > text.size() && text[first] == '{') {
    return {
        fmt::format("{} is truncated at byte {}: copy it again, or repeat the run that wrote it",
                    file, text.size())};
  }
  const size_t line =
      1 + static_cast<size_t>(std::count(
              text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())),
              '\n'));
  return Foreign(file, kind, fmt::format("not JSON at byte {} (line {})", byte, line));
}

std::string_view TypeName(const Json& json) { return json.type_name(); }

}  // namespace

Result<Json> ParseDocument(std::string_view text, const std::string& file,
                           const DocumentKind& kind) {
  bool too_deep = false;
  const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kMaxDepth;
    return !too_deep;
  };
  Json root;
  try {
    root = Json::parse(text.begin(), text.end(), limit_depth);
  } catch (const Json::parse_error& error) {
    if (!too_deep) return Unparsable(text, file, kind, error.byte);
  } catch (const Json::exception&) {  // a number beyond the range of double
    return Foreign(file, kind, "it has a number outside the range of double");
  }
  if (too_deep)
    return Foreign(file, kind, fmt::format("it is nested deeper than {} levels", kMaxDepth));
  const auto format = root.is_object() ? root.find("format") : root.end();
  if (!root.is_object() || format == root.end() || *format != kind.format) {
    return Foreign(file, kind, fmt::format("it is JSON without \"format\": \"{}\"", kind.format));
  }
  const auto version = root.find("version");
  if (version == root.end() || !version->is_number_integer() || *version < 1) {
    return Foreign(file, kind, "its \"version\" is not a positive integer");
  }
  if (*version > kind.version) {
    return Error{
        fmt::format("{} is of version {}; this roofmark reads up to {}: use the roofmark "
                    "that wrote it, or a newer one",
                    file, version->dump(), kind.version)};
  }
  return root;
}

JsonNode JsonNode::operator[](const char* key) const {
  std::string pointer = pointer_ + "/" + key;
  if (!present()) return JsonNode(nullptr, std::move(pointer), error_);
  if (!json_->is_object()) {
    Fail("must be an object");
    return JsonNode(nullptr, std::move(pointer), error_);
  }
  const auto it = json_->find(key);
  return JsonNode(it == json_->end() ? nullptr : &*it, std::move(pointer), error_);
}

const JsonNode& JsonNode::Required() const {
  if (!present()) Fail("is missing");
  return *this;
}

void JsonNode::Fail(std::string_view what) const {
  if (!error_->empty()) return;
  *error_ = fmt::format("{} {}", pointer_, what);
  if (what.starts_with("must be") && present()) {
    *error_ += fmt::format(", found {}", TypeName(*json_));
  }
}

std::string JsonNode::String() const {
  if (!present()) return {};
  if (json_->is_string()) return json_->get<std::string>();
  Fail("must be a string");
  return {};
}

bool JsonNode::Bool() const {
  if (!present()) return false;
  if (json_->is_boolean()) return json_->get<bool>();
  Fail("must be true or false");
  return false;
}

double JsonNode::Number(double fallback) const {
  if (!present()) return fallback;
  if (json_->is_number()) return json_->get<double>();
  Fail("must be a number");
  return fallback;
}

uint64_t JsonNode::Uint(uint64_t fallback) const {
  if (!present()) return fallback;
  if (json_->is_number_unsigned()) return json_->get<uint64_t>();
  Fail(json_->is_number() ? "must be a non-negative integer below 2^64"
                          : "must be a non-negative integer");
  return fallback;
}

uint32_t JsonNode::Uint32(uint32_t fallback) const {
  const uint64_t value = Uint(fallback);
  if (value <= std::numeric_limits<uint32_t>::max()) return static_cast<uint32_t>(value);
  Fail("must be below 2^32");
  return fallback;
}

std::vector<std::string> JsonNode::Strings() const {
  std::vector<std::string> strings;
  for (const JsonNode& item : Items()) strings.push_back(item.String());
  return strings;
}

std::map<std::string, std::string> JsonNode::StringMap() const {
  std::map<std::string, std::string> map;
  for (const auto& [key, value] : Members()) map[key] = value.String();
  return map;
}

std::vector<JsonNode> JsonNode::Items() const {
  std::vector<JsonNode> items;
  if (!present()) return items;
  if (!json_->is_array()) {
    Fail("must be an array");
    return items;
  }
  for (size_t i = 0; i < json_->size(); ++i) {
    items.emplace_back(&(*json_)[i], fmt::format("{}/{}", pointer_, i), error_);
  }
  return items;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::Members() const {
  std::vector<std::pair<std::string, JsonNode>> members;
  if (!present()) return members;
  if (!json_->is_object()) {
    Fail("must be an object");
    return members;
  }
  for (const auto& [key, value] : json_->items()) {
    members.emplace_back(key, JsonNode(&value, pointer_ + "/" + key, error_));
  }
  return members;
}

std::string Utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) {
      valid += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    } else {
      valid.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return valid;
}

Json FiniteOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string DumpDocument(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace roofmark
