// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "lib/core/limits.h"

namespace roofmark {
namespace {

// What a parser meets on its way, held against the limits, before anything is kept. (A parser that
// keeps values and asks for each one looks through all its neighbours whenever an object ends.)
class Gate final : public nlohmann::json_sax<Json> {
 public:
  // Which limit is exceeded; empty: none.
  const std::string& why() const { return why_; }

  bool null() override { return Value(); }
  bool boolean(bool) override { return Value(); }
  bool number_integer(number_integer_t) override { return Value(); }
  bool number_unsigned(number_unsigned_t) override { return Value(); }
  bool number_float(number_float_t, const string_t&) override { return Value(); }
  bool string(string_t&) override { return Value(); }
  bool binary(binary_t&) override { return Value(); }
  bool start_object(size_t) override { return Begin(); }
  bool start_array(size_t) override { return Begin(); }
  bool end_object() override { return End(); }
  bool end_array() override { return End(); }
  bool key(string_t&) override {
    if (++members_[depth_] <= limits::kJsonMembers) return true;
    return Refuse(fmt::format("an object in it has more than {} members", limits::kJsonMembers));
  }
  // What is no JSON the parser says that keeps the values.
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool Refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool Value() {
    if (depth_ > limits::kJsonDepth) {
      return Refuse(fmt::format("it is nested deeper than {} levels", limits::kJsonDepth));
    }
    if (++values_ <= limits::kJsonValues) return true;
    return Refuse(fmt::format("it has more than {} values", limits::kJsonValues));
  }
  bool Begin() {
    if (!Value()) return false;
    members_[++depth_] = 0;
    return true;
  }
  bool End() {
    --depth_;
    return true;
  }

  std::string why_;
  size_t values_ = 0, depth_ = 0;
  std::array<size_t, limits::kJsonDepth + 2> members_{};  // of the object open at each depth
};

// A kind of file that roofmark writes, and what to do with one that was given in place of another.
struct OwnKind {
  std::string_view format, name, use;  // in `use`, {} is the file
};
constexpr OwnKind kOwnKinds[] = {
    {"roofmark-roofline", "a roofline file", "`roofmark report {}` shows it"},
    {"roofmark-machine", "a machine file",
     "`roofmark machine --show {}` shows it, `roofmark report --machine {}` holds a run against "
     "it"},
    {"roofmark-samples", "a file of samples", "`roofmark nests EXECUTED --samples {}` reads it"},
    {"roofmark-executed", "a file of executed code", "`roofmark nests {}` shows it"},
    {"roofmark-nests", "a file of nests", "ROOFMARK_NESTS={} makes regions of them"},
    {"roofmark-analysis", "the analysis that `roofmark report --json` wrote",
     "`roofmark report` shows the roofline file of which it was made"},
    {"roofmark-doctor", "what `roofmark doctor --json` wrote", "it is for programs"},
    {"roofmark-events", "what `roofmark events --json` wrote", "it is for programs"},
    {"roofmark-bundle", "a bundle of `roofmark doctor`", "it is for the project's tests"}};

// Another kind of roofmark's own files; nothing: it is none.
std::optional<Error> OtherKind(const Json& format, const std::string& file,
                               const DocumentKind& kind) {
  if (!format.is_string()) return std::nullopt;
  const auto own = std::find_if(std::begin(kOwnKinds), std::end(kOwnKinds),
                                [&](const OwnKind& each) { return format == each.format; });
  if (own == std::end(kOwnKinds)) return std::nullopt;
  std::string use(own->use);
  for (size_t at = 0; (at = use.find("{}", at)) != std::string::npos; at += file.size()) {
    use.replace(at, 2, file);
  }
  return Error{fmt::format("{} is no {}, but {}: {}", file, kind.name, own->name, use)};
}

// Of a file that is no text, by how it begins; empty: not known.
std::string_view NameOfBytes(std::string_view text) {
  if (text.starts_with("\x89HDF")) {
    return "it is an HDF5 file: that of all ranks (ROOFMARK_DETAIL) lies beside its roofline file";
  }
  if (text.starts_with("roofmark-spool\n")) {
    return "it is the spool of a process: `roofmark recover` makes a roofline file of spools";
  }
  return {};
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
  if (const std::string_view known = NameOfBytes(text); !known.empty()) {
    return Foreign(file, kind, known);
  }
  const size_t line =
      1 + static_cast<size_t>(std::count(
              text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())),
              '\n'));
  return Foreign(file, kind, fmt::format("not JSON at byte {} (line {})", byte, line));
}

std::string_view TypeName(const Json& json) { return json.type_name(); }

}  // namespace

Error Damaged(const std::string& file, const DocumentKind& kind, std::string_view error) {
  return {fmt::format("{} is a damaged {}: {}; {}", file, kind.name, error, kind.cure)};
}

Result<Json> ParseDocument(std::string_view text, const std::string& file,
                           const DocumentKind& kind) {
  Gate gate;
  Json::sax_parse(text.begin(), text.end(), &gate);
  if (!gate.why().empty()) return Foreign(file, kind, gate.why());
  Json root;
  try {
    root = Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    return Unparsable(text, file, kind, error.byte);
  } catch (const Json::exception&) {  // a number beyond the range of double
    return Foreign(file, kind, "it has a number outside the range of double");
  }
  const auto format = root.is_object() ? root.find("format") : root.end();
  if (format == root.end() || *format != kind.format) {
    if (format != root.end()) {
      if (std::optional<Error> other = OtherKind(*format, file, kind)) return *other;
    }
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
  return Within(0, std::numeric_limits<uint32_t>::max(), fallback);
}

uint32_t JsonNode::Within(uint32_t least, uint32_t most, uint32_t fallback) const {
  const uint64_t value = Uint(fallback);
  if (!present() || (value >= least && value <= most)) return static_cast<uint32_t>(value);
  Fail(fmt::format("is {}; it can be {} to {}", value, least, most));
  return fallback;
}

double JsonNode::Figure(double most, double fallback) const {
  const double value = Number(fallback);
  if (!present() || (value >= 0 && value <= most)) return value;
  Fail(fmt::format("is {:g}; it can be 0 to {:g}", value, most));
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

std::vector<JsonNode> JsonNode::Items(size_t most) const {
  std::vector<JsonNode> items;
  if (!present()) return items;
  if (!json_->is_array()) {
    Fail("must be an array");
    return items;
  }
  if (json_->size() > most) {
    Fail(fmt::format("has {} items; at most {} are possible", json_->size(), most));
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

size_t CountValues(const Json& json) {
  size_t values = 1;
  for (const Json& inner : json) values += inner.is_structured() ? CountValues(inner) : 1;
  return values;
}

Json FiniteOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string DumpDocument(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace roofmark
