// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <set>
#include <tuple>
#include <utility>

#include "lib/core/limits.h"
#include "lib/found/found_json.h"
#include "lib/profile/json_document.h"

namespace roofmark {
namespace {

constexpr int kNestsVersion = 1;
constexpr DocumentKind kNestsKind = {"roofmark-nests", "file of nests", kNestsVersion,
                                     "docs/file-formats.md says what it holds"};

Json WriteNest(const PlannedNest& nest) {
  Json json = {{"name", Utf8(nest.name)}};
  if (!nest.file.empty()) json["file"] = Utf8(nest.file);
  if (nest.line > 0) json["line"] = nest.line;
  if (nest.around) json["around"] = *nest.around;
  if (nest.is_function) json["function"] = true;
  if (nest.same) json["same"] = *nest.same;
  if (nest.rest_of) json["rest_of"] = *nest.rest_of;
  return json;
}

// Index of a nest, or nothing where there is no value.
std::optional<uint32_t> ReadIndex(const JsonNode& node, size_t nests) {
  if (!node.present()) return std::nullopt;
  const uint32_t index = node.Uint32();
  if (index < nests) return index;
  node.Fail(fmt::format("is {}; there are {} nests before it", index, nests));
  return std::nullopt;
}

void ReadNests(const JsonNode& root, NestPlan& plan) {
  std::set<std::string> names;
  for (const JsonNode& node : root["nests"].Required().Items(limits::kNests)) {
    PlannedNest nest;
    nest.name = node["name"].Required().String();
    nest.file = node["file"].String();
    nest.line = node["line"].Uint32();
    nest.around = ReadIndex(node["around"], plan.nests.size());
    nest.is_function = node["function"].present() && node["function"].Bool();
    nest.same = ReadIndex(node["same"], plan.nests.size());
    nest.rest_of = ReadIndex(node["rest_of"], plan.nests.size());
    if (nest.name.empty()) node["name"].Fail("is empty");
    if (nest.same) {
      const PlannedNest& region = plan.nests[*nest.same];
      if (region.same) node["same"].Fail("is no region, but code of another one");
      if (region.name != nest.name) node["name"].Fail("is not that of the region");
    } else if (!names.insert(nest.name).second) {
      node["name"].Fail("is that of another nest, too");
    }
    plan.nests.push_back(std::move(nest));
  }
}

void ReadRanges(const JsonNode& root, NestPlan& plan) {
  for (const JsonNode& node : root["ranges"].Required().Items(limits::kNestRanges)) {
    PlannedRange range;
    range.module = node["module"].Required().Uint32();
    range.nest = ReadIndex(node["nest"], plan.nests.size());
    range.begin = node["begin"].Required().Uint();
    range.end = node["end"].Required().Uint();
    if (range.module >= plan.modules.size()) node["module"].Fail("is no index in `modules`");
    if (range.begin >= range.end) node["end"].Fail("is not above `begin`");
    if (!plan.ranges.empty() && std::tuple(range.module, range.begin) <
                                    std::tuple(plan.ranges.back().module, plan.ranges.back().end)) {
      node["begin"].Fail("is below the end of the range before");
    }
    plan.ranges.push_back(range);
  }
}

void ReadEntries(const JsonNode& root, NestPlan& plan) {
  for (const JsonNode& node : root["entries"].Required().Items(limits::kNestRanges)) {
    PlannedEntry entry;
    entry.module = node["module"].Required().Uint32();
    entry.nest = ReadIndex(node["nest"].Required(), plan.nests.size()).value_or(0);
    entry.place = node["place"].Required().Uint();
    entry.goes_on = node["goes_on"].present() && node["goes_on"].Bool();
    if (entry.module >= plan.modules.size()) node["module"].Fail("is no index in `modules`");
    if (!plan.entries.empty() &&
        std::tuple(entry.module, entry.place) <=
            std::tuple(plan.entries.back().module, plan.entries.back().place)) {
      node["place"].Fail("is not above that of the entry before");
    }
    plan.entries.push_back(entry);
  }
}

}  // namespace

std::string NestPlanToJson(const NestPlan& plan) {
  Json root = {{"format", kNestsKind.format}, {"version", kNestsVersion}};
  root["modules"] = Json::array();
  for (const std::string& module : plan.modules) root["modules"].push_back(Utf8(module));
  root["nests"] = Json::array();
  for (const PlannedNest& nest : plan.nests) root["nests"].push_back(WriteNest(nest));
  root["ranges"] = Json::array();
  for (const PlannedRange& range : plan.ranges) {
    Json json = {{"module", range.module}, {"begin", range.begin}, {"end", range.end}};
    if (range.nest) json["nest"] = *range.nest;
    root["ranges"].push_back(std::move(json));
  }
  root["entries"] = Json::array();
  for (const PlannedEntry& entry : plan.entries) {
    Json json = {{"module", entry.module}, {"nest", entry.nest}, {"place", entry.place}};
    if (entry.goes_on) json["goes_on"] = true;
    root["entries"].push_back(std::move(json));
  }
  return DumpDocument(root);
}

Result<NestPlan> NestPlanFromJson(std::string_view text, const std::string& name) {
  const Result<Json> document = ParseDocument(text, name, kNestsKind);
  if (!document) return Error{document.error()};
  std::string error;
  NestPlan plan;
  const JsonNode root(&*document, "", &error);
  plan.modules = root["modules"].Required().Strings();
  ReadNests(root, plan);
  ReadRanges(root, plan);
  ReadEntries(root, plan);
  if (!error.empty()) return Damaged(name, kNestsKind, error);
  return plan;
}

}  // namespace roofmark
