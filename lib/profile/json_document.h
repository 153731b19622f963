// SPDX-License-Identifier: BSD-3-Clause
//
// Reading of our own JSON files, shared by the roofline file and the machine file: parsing with
// errors that name the file and the cure, and typed access that remembers the first wrong value by
// its JSON pointer instead of throwing. For .cc files only: it pulls in nlohmann-json.
#ifndef ROOFMARK_LIB_PROFILE_JSON_DOCUMENT_H_
#define ROOFMARK_LIB_PROFILE_JSON_DOCUMENT_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/result.h"
#include "lib/core/utf8.h"

namespace roofmark {

using Json = nlohmann::ordered_json;

// What a file must be to be read.
struct DocumentKind {
  std::string_view format;  // value of its "format" member
  std::string_view name;    // for people: "roofline file"
  int version;              // the newest that is understood
  std::string_view cure;    // what to do if it is something else
};

// The root object, if `text` is a document of this kind and of a version that can be read.
Result<Json> ParseDocument(std::string_view text, const std::string& file,
                           const DocumentKind& kind);

// Why a document cannot be taken: `error` is that of its nodes.
Error Damaged(const std::string& file, const DocumentKind& kind, std::string_view error);

// A value inside a document. Accessors return the fallback for an absent or null value; a value of
// another type is recorded as the document's error (the first one is kept) and reads as the
// fallback. Not thread-safe; must not outlive the document and the error string.
class JsonNode {
 public:
  JsonNode(const Json* json, std::string pointer, std::string* error)
      : json_(json), pointer_(std::move(pointer)), error_(error) {}

  bool present() const { return json_ != nullptr && !json_->is_null(); }
  JsonNode operator[](const char* key) const;
  // Records an error unless the value is present.
  const JsonNode& Required() const;

  std::string String() const;
  bool Bool() const;
  double Number(double fallback = 0) const;
  uint64_t Uint(uint64_t fallback = 0) const;
  uint32_t Uint32(uint32_t fallback = 0) const;
  uint32_t Within(uint32_t least, uint32_t most, uint32_t fallback) const;
  // A number from 0 to `most`.
  double Figure(double most, double fallback = 0) const;
  std::vector<std::string> Strings() const;
  std::map<std::string, std::string> StringMap() const;
  std::vector<JsonNode> Items(size_t most = SIZE_MAX) const;
  std::vector<std::pair<std::string, JsonNode>> Members() const;

  const Json& json() const { return *json_; }
  // `what` continues "FILE: /pointer ".
  void Fail(std::string_view what) const;

 private:
  const Json* json_;  // nullptr: absent
  std::string pointer_;
  std::string* error_;
};

// How many values an object or an array has, as readers count them (limits::kJsonValues).
size_t CountValues(const Json& json);

// The value, or null for NaN and infinities.
Json FiniteOrNull(double value);

// The document as text: indented by two spaces, with a line feed at the end.
std::string DumpDocument(const Json& json);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_JSON_DOCUMENT_H_
