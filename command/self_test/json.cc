// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command/self_test/self_test.h"

namespace roofmark::cli {
namespace {

using nlohmann::ordered_json;

ordered_json CheckJson(const Check& check) {
  ordered_json json;
  json["family"] = FamilyName(check.family);
  json["exercise"] = check.exercise;
  json["metric"] = check.metric;
  json["known_least"] = check.known.least;
  json["known_most"] = check.known.most;
  json["counted"] = check.counted;
  const std::optional<double> ratio = check.Ratio();
  json["ratio"] = ratio ? ordered_json(*ratio) : ordered_json(nullptr);
  json["status"] = StatusName(check.status);
  json["verdict"] = VerdictName(check.verdict);
  json["hint"] = check.hint;
  return json;
}

// Throws what nlohmann throws.
Check CheckFrom(const ordered_json& json) {
  Check check;
  check.family = ParseFamily(json.at("family").get<std::string>()).value();
  check.exercise = json.at("exercise");
  check.metric = json.at("metric");
  check.known = {json.at("known_least"), json.at("known_most")};
  check.counted = json.at("counted");
  check.status = ParseStatus(json.at("status").get<std::string>()).value();
  check.verdict = ParseVerdict(json.at("verdict").get<std::string>()).value();
  check.hint = json.at("hint");
  return check;
}

}  // namespace

std::string SelfTestToJson(const SelfTest& test) {
  ordered_json json;
  json["collector"] = test.collector;
  json["line"] = test.line;
  json["engine"] = test.engine;
  json["off"] = test.CountOff();
  json["facts"] = test.facts;
  json["checks"] = ordered_json::array();
  for (const Check& check : test.checks) json["checks"].push_back(CheckJson(check));
  json["not_tested"] = ordered_json::array();
  for (const NotTested& each : test.not_tested) {
    json["not_tested"].push_back(
        {{"metrics", each.metric}, {"status", StatusName(each.status)}, {"reason", each.reason}});
  }
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<SelfTest> SelfTestFromJson(const std::string& text) try {
  const ordered_json json = ordered_json::parse(text);
  SelfTest test;
  test.collector = json.at("collector");
  test.line = json.at("line");
  test.engine = json.at("engine");
  test.facts = json.at("facts").get<std::map<std::string, std::string>>();
  for (const ordered_json& check : json.at("checks")) test.checks.push_back(CheckFrom(check));
  for (const ordered_json& each : json.at("not_tested")) {
    test.not_tested.push_back({each.at("metrics"),
                               ParseStatus(each.at("status").get<std::string>()).value(),
                               each.at("reason")});
  }
  return test;
} catch (const std::exception& error) {
  return Error{fmt::format("the self-test's answer cannot be read: {}", error.what())};
}

}  // namespace roofmark::cli
