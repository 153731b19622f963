// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>
#include <utility>
#include <vector>

#include "lib/core/limits.h"
#include "lib/found/found_json.h"
#include "lib/profile/json_document.h"

namespace roofmark {
namespace {

constexpr int kExecutedVersion = 1;
constexpr auto kLastLayer = static_cast<uint32_t>(Layer::kRuntime);  // its own code is in no part
constexpr DocumentKind kExecutedKind = {"roofmark-executed", "file of executed code",
                                        kExecutedVersion,
                                        "give a file that ROOFMARK_EXECUTED wrote"};

// One array for each column: rows would have an array each.
Json WriteBlocks(const std::vector<ExecutedBlock>& blocks) {
  Json begin = Json::array(), bytes = Json::array(), instructions = Json::array(),
       times = Json::array();
  for (const ExecutedBlock& block : blocks) {
    begin.push_back(block.begin);
    bytes.push_back(block.bytes);
    instructions.push_back(block.instructions);
    times.push_back(block.times);
  }
  return {{"begin", std::move(begin)},
          {"bytes", std::move(bytes)},
          {"instructions", std::move(instructions)},
          {"times", std::move(times)}};
}

Json WriteWays(const std::vector<ExecutedWay>& ways) {
  Json from = Json::array(), to = Json::array(), times = Json::array(), calls = Json::array();
  for (const ExecutedWay& way : ways) {
    from.push_back(way.from);
    to.push_back(way.to);
    times.push_back(way.times);
    calls.push_back(way.calls ? 1 : 0);
  }
  return {{"from", std::move(from)},
          {"to", std::move(to)},
          {"times", std::move(times)},
          {"calls", std::move(calls)}};
}

Json WriteParts(const std::vector<ExecutedPart>& parts) {
  Json begin = Json::array(), bytes = Json::array(), path = Json::array(), layer = Json::array(),
       leads = Json::array(), times = Json::array();
  for (const ExecutedPart& part : parts) {
    begin.push_back(part.begin);
    bytes.push_back(part.bytes);
    path.push_back(part.path);
    layer.push_back(static_cast<uint32_t>(part.layer));
    leads.push_back(part.leads ? 1 : 0);
    times.push_back(part.times);
  }
  return {{"begin", std::move(begin)}, {"bytes", std::move(bytes)}, {"path", std::move(path)},
          {"layer", std::move(layer)}, {"leads", std::move(leads)}, {"times", std::move(times)}};
}

Json WriteCalls(const std::vector<ExecutedCall>& calls) {
  Json from = Json::array(), module = Json::array(), to = Json::array(), times = Json::array();
  for (const ExecutedCall& call : calls) {
    from.push_back(call.from);
    module.push_back(call.to_module);
    to.push_back(call.to);
    times.push_back(call.times);
  }
  return {{"from", std::move(from)},
          {"to_module", std::move(module)},
          {"to", std::move(to)},
          {"times", std::move(times)}};
}

// Columns of one length.
std::vector<std::vector<JsonNode>> Columns(const JsonNode& table,
                                           std::initializer_list<const char*> names) {
  std::vector<std::vector<JsonNode>> columns;
  for (const char* name : names) {
    columns.push_back(table[name].Required().Items(limits::kExecutedRows));
    if (columns.back().size() == columns.front().size()) continue;
    table[name].Fail("has another length than the columns beside it");
    return {};
  }
  return columns;
}

std::vector<ExecutedPart> ReadParts(const JsonNode& table, size_t paths) {
  std::vector<ExecutedPart> parts;
  const auto columns = Columns(table, {"begin", "bytes", "path", "layer", "leads", "times"});
  for (size_t i = 0; !columns.empty() && i < columns[0].size(); ++i) {
    const auto path = columns[2][i].Uint32();
    if (path >= paths) columns[2][i].Fail("is no number of a path of /paths");
    parts.push_back({columns[0][i].Uint(), columns[1][i].Uint32(), path < paths ? path : 0,
                     static_cast<Layer>(columns[3][i].Within(0, kLastLayer, 0)),
                     columns[4][i].Within(0, 1, 0) == 1, columns[5][i].Uint()});
  }
  return parts;
}

std::vector<ExecutedCall> ReadCalls(const JsonNode& table, size_t modules) {
  std::vector<ExecutedCall> calls;
  const auto columns = Columns(table, {"from", "to_module", "to", "times"});
  for (size_t i = 0; !columns.empty() && i < columns[0].size(); ++i) {
    const auto module = columns[1][i].Uint32();
    if (module >= modules) columns[1][i].Fail("is no number of a module of /modules");
    calls.push_back({columns[0][i].Uint(), module < modules ? module : 0, columns[2][i].Uint(),
                     columns[3][i].Uint()});
  }
  return calls;
}

ExecutedModule ReadModule(const JsonNode& node, size_t modules, size_t paths) {
  ExecutedModule module;
  module.file = node["file"].Required().String();
  const auto blocks =
      Columns(node["blocks"].Required(), {"begin", "bytes", "instructions", "times"});
  for (size_t i = 0; !blocks.empty() && i < blocks[0].size(); ++i) {
    module.blocks.push_back(
        {blocks[0][i].Uint(), blocks[1][i].Uint32(), blocks[2][i].Uint32(), blocks[3][i].Uint()});
  }
  const auto ways = Columns(node["ways"].Required(), {"from", "to", "times", "calls"});
  for (size_t i = 0; !ways.empty() && i < ways[0].size(); ++i) {
    module.ways.push_back(
        {ways[0][i].Uint(), ways[1][i].Uint(), ways[2][i].Uint(), ways[3][i].Within(0, 1, 0) == 1});
  }
  if (node["parts"].present()) module.parts = ReadParts(node["parts"], paths);
  if (node["calls"].present()) module.calls = ReadCalls(node["calls"], modules);
  return module;
}

}  // namespace

std::string ExecutedToJson(const Executed& executed) {
  Json modules = Json::array();
  for (const ExecutedModule& module : executed.modules) {
    modules.push_back({{"file", Utf8(module.file)},
                       {"blocks", WriteBlocks(module.blocks)},
                       {"ways", WriteWays(module.ways)}});
    if (!module.parts.empty()) modules.back()["parts"] = WriteParts(module.parts);
    if (!module.calls.empty()) modules.back()["calls"] = WriteCalls(module.calls);
  }
  Json root = {{"format", kExecutedKind.format},
               {"version", kExecutedVersion},
               {"modules", std::move(modules)}};
  for (const std::string& path : executed.paths) root["paths"].push_back(Utf8(path));
  for (const std::string& word : executed.command) root["command"].push_back(Utf8(word));
  return root.dump();
}

Result<Executed> ExecutedFromJson(std::string_view text, const std::string& name) {
  const Result<Json> document = ParseDocument(text, name, kExecutedKind);
  if (!document) return Error{document.error()};
  std::string error;
  Executed executed;
  const JsonNode root(&*document, "", &error);
  executed.paths = root["paths"].Strings();
  executed.command = root["command"].Strings();
  const auto modules = root["modules"].Required().Items(limits::kExecutedModules);
  for (const JsonNode& module : modules) {
    executed.modules.push_back(ReadModule(module, modules.size(), executed.paths.size()));
  }
  if (!error.empty()) return Damaged(name, kExecutedKind, error);
  return executed;
}

}  // namespace roofmark
