// SPDX-License-Identifier: BSD-3-Clause
//
// Documents with one value too many, too few or of the wrong kind.
#ifndef ROOFMARK_TESTS_LIB_PROFILE_JSON_KINDS_H_
#define ROOFMARK_TESTS_LIB_PROFILE_JSON_KINDS_H_

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace roofmark::test {

// JSON pointers of all values in `json`, containers included.
inline std::vector<std::string> PointersIn(const nlohmann::json& json,
                                           const std::string& pointer = "") {
  std::vector<std::string> pointers;
  if (!json.is_structured()) return pointers;
  for (const auto& [key, value] : json.items()) {
    pointers.push_back(pointer + "/" + key);
    const std::vector<std::string> inner = PointersIn(value, pointers.back());
    pointers.insert(pointers.end(), inner.begin(), inner.end());
  }
  return pointers;
}

// Values of every kind but that of `value`. An unsigned integer is neither negative nor a fraction.
inline std::vector<nlohmann::json> OtherKinds(const nlohmann::json& value) {
  std::vector<nlohmann::json> others;
  for (const nlohmann::json& other :
       {nlohmann::json(true), nlohmann::json(-1), nlohmann::json(1.5), nlohmann::json("x"),
        nlohmann::json::array(), nlohmann::json::object()}) {
    const bool same = value.is_number_float() ? other.is_number() : other.type() == value.type();
    if (!same) others.push_back(other);
  }
  return others;
}

inline nlohmann::json With(nlohmann::json json, const std::string& pointer,
                           const nlohmann::json& value) {
  json[nlohmann::json::json_pointer(pointer)] = value;
  return json;
}

inline nlohmann::json Without(nlohmann::json json, const std::string& pointer) {
  const nlohmann::json::json_pointer at(pointer);
  json[at.parent_pointer()].erase(at.back());
  return json;
}

inline bool IsItem(const std::string& pointer) {
  return pointer.find_last_not_of("0123456789") == pointer.rfind('/');
}

// Whether one of the patterns is the whole pointer.
inline bool IsOneOf(const std::string& pointer, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (std::regex_match(pointer, std::regex(pattern))) return true;
  }
  return false;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_PROFILE_JSON_KINDS_H_
