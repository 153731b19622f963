// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/roofline_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "lib/core/limits.h"
#include "lib/profile/device_json.h"
#include "lib/profile/host_json.h"
#include "lib/profile/hot_loops_json.h"
#include "lib/profile/json_document.h"
#include "lib/profile/roofline_cell_json.h"
#include "lib/profile/spread_json.h"
#include "lib/profile/totals.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

constexpr DocumentKind kKind = {"roofmark-roofline", "roofline file", kRooflineVersion,
                                "give a file that `roofmark run` or ROOFMARK_OUTPUT wrote"};

Json FromStringMap(const std::map<std::string, std::string>& map) {
  Json json = Json::object();
  for (const auto& [key, value] : map) json[Utf8(key)] = Utf8(value);
  return json;
}

Json FromStrings(const std::vector<std::string>& strings) {
  Json json = Json::array();
  for (const std::string& text : strings) json.push_back(Utf8(text));
  return json;
}

Json FromPass(const PassInfo& pass) {
  return {{"collector", Utf8(pass.collector)},     {"command", FromStrings(pass.command)},
          {"start_time", Utf8(pass.start_time)},   {"wall_s", FiniteOrNull(pass.wall_s)},
          {"times_are_real", pass.times_are_real}, {"settings", FromStringMap(pass.settings)},
          {"facts", FromStringMap(pass.facts)}};
}

PassInfo ToPass(const JsonNode& node) {
  PassInfo pass;
  pass.collector = node["collector"].String();
  pass.command = node["command"].Strings();
  pass.start_time = node["start_time"].String();
  pass.wall_s = node["wall_s"].Number();
  pass.times_are_real = node["times_are_real"].Required().Bool();
  pass.settings = node["settings"].StringMap();
  pass.facts = node["facts"].StringMap();
  return pass;
}

// Their members' names in the file, in the order of CellsOf().
constexpr std::array<const char*, 3> kCosts = {"startup_ns", "finalize_ns", "marker_pair_ps"};
constexpr std::array<const char*, 6> kKernelUses = {"system_ns",      "page_faults", "run_queue_ns",
                                                    "resident_bytes", "clock_khz",   "cpu_ns"};

template <typename Cells, typename Names>
Json FromCells(const Cells& cells, const Names& names) {
  Json json = Json::object();
  const auto all = CellsOf(cells);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i]->ranks > 0) json[names[i]] = WriteCell(*all[i]);
  }
  return json;
}

template <typename Cells, typename Names>
void ToCells(const JsonNode& node, const Names& names, Cells& cells) {
  auto all = CellsOf(cells);
  for (size_t i = 0; i < all.size(); ++i) {
    if (node.present() && node[names[i]].present()) *all[i] = ReadCell(node[names[i]]);
  }
}

Json FromRun(const RunInfo& run) {
  Json hosts = Json::array(), passes = Json::array();
  for (const HostInfo& host : run.hosts) hosts.push_back(WriteHost(host));
  for (const PassInfo& pass : run.passes) passes.push_back(FromPass(pass));
  Json background = Json::array();
  for (const BackgroundTraffic& traffic : run.background) {
    background.push_back({{"host", Utf8(traffic.host)},
                          {"package", traffic.package},
                          {"bytes", traffic.bytes},
                          {"seconds", FiniteOrNull(traffic.seconds)}});
  }
  Json json = {{"roofmark_version", Utf8(run.roofmark_version)},
               {"job_id", Utf8(run.job_id)},
               {"ranks", run.ranks},
               {"ranks_merged", run.ranks_merged},
               {"first_rank", run.first_rank},
               {"mpi", Utf8(run.mpi)},
               {"threads_max", run.threads_max},
               {"hosts", std::move(hosts)},
               {"background", std::move(background)},
               {"passes", std::move(passes)},
               {"cost", FromCells(run.cost, kCosts)},
               {"warnings", FromStrings(run.warnings)}};
  if (run.recovered_ranks != 0) json["recovered_ranks"] = run.recovered_ranks;
  Json kernel = FromCells(run.kernel, kKernelUses);
  if (!kernel.empty()) json["kernel"] = std::move(kernel);
  if (!run.repeats_s.empty()) {
    Json& repeats = json["repeats_s"] = Json::array();
    for (const double seconds : run.repeats_s) repeats.push_back(FiniteOrNull(seconds));
  }
  return json;
}

RunInfo ToRun(const JsonNode& node) {
  RunInfo run;
  run.roofmark_version = node["roofmark_version"].String();
  run.job_id = node["job_id"].String();
  run.ranks = node["ranks"].Required().Within(1, limits::kRanks, 1);
  run.ranks_merged = node["ranks_merged"].Within(1, limits::kRanks, run.ranks);
  run.first_rank = ReadRank(node["first_rank"]);
  run.recovered_ranks = node["recovered_ranks"].Within(0, limits::kRanks, 0);
  run.mpi = node["mpi"].String();
  run.threads_max = node["threads_max"].Uint32(1);
  for (const JsonNode& host : node["hosts"].Items()) run.hosts.push_back(ReadHost(host));
  for (const JsonNode& traffic : node["background"].Items()) {
    run.background.push_back({traffic["host"].String(), traffic["package"].Uint32(),
                              traffic["bytes"].Uint(), traffic["seconds"].Number()});
  }
  for (const JsonNode& pass : node["passes"].Items()) run.passes.push_back(ToPass(pass));
  ToCells(node["cost"], kCosts, run.cost);
  ToCells(node["kernel"], kKernelUses, run.kernel);
  for (const JsonNode& seconds : node["repeats_s"].Items(limits::kRepeats)) {
    run.repeats_s.push_back(seconds.Required().Figure(limits::kFigure));
  }
  run.warnings = node["warnings"].Strings();
  return run;
}

Json FromSources(const JobProfile& job) {
  Json metrics = Json::object();
  for (MetricId m = 0; m < kMetrics; ++m) {
    const MetricSource& source = job.sources[m];
    if (IsUser(m) && source.label.empty()) continue;
    Json& json = metrics[GetMetric(m).name];
    json = {{"unit", MetricUnit(job, m)},
            {"scope", ScopeName(MetricScope(job, m))},
            {"origin", Utf8(source.origin)},
            {"status", StatusName(source.status)}};
    if (!source.reason.empty()) json["reason"] = Utf8(source.reason);
    if (!source.label.empty()) json["label"] = Utf8(source.label);
  }
  return metrics;
}

void ToSources(const JsonNode& node, JobProfile& job) {
  for (const auto& [name, source] : node.Members()) {
    const auto id = FindMetric(name);
    if (!id) continue;  // a newer roofmark's
    MetricSource& into = job.sources[*id];
    into = {source["origin"].String(), ReadStatus(source["status"].Required()),
            source["reason"].String()};
    if (IsUser(*id) || IsTotal(*id)) {
      into.scope = ParseScope(source["scope"].String()).value_or(Scope::kThread);
    }
    if (!IsUser(*id)) continue;
    into.label = source["label"].String();
    into.unit = source["unit"].String();
  }
}

constexpr std::array<const char*, kWholeRows> kWholeMembers = {"outside", "program"};

// Older files have none of them.
void ToWhole(const JsonNode& root, JobProfile& job) {
  const auto known = [&root](const char* member) { return root[member].present(); };
  if (std::none_of(kWholeMembers.begin(), kWholeMembers.end(), known)) return;
  job.whole = CellTable(kWholeRows);
  for (size_t row = 0; row < kWholeRows; ++row) {
    const JsonNode member = root[kWholeMembers[row]].Required();
    ReadCells(member["metrics"].Required(), {job.whole, row});
  }
}

Json FromCritical(const CriticalPlace& place) {
  return {{"file", Utf8(place.file)},
          {"line", place.line},
          {"cycles", place.cycles},
          {"of_cycles", place.of_cycles}};
}

CriticalPlace ToCritical(const JsonNode& node) {
  if (!node.present()) return {};
  return {node["file"].Required().String(), node["line"].Required().Uint32(),
          node["cycles"].Required().Uint(), node["of_cycles"].Required().Uint()};
}

constexpr std::array<std::pair<const char*, CountedBy CrossCheck::*>, 2> kCounters = {
    {{"hardware", &CrossCheck::hardware}, {"engine", &CrossCheck::engine}}};

Json FromCrossChecks(const std::vector<CrossCheck>& checks) {
  Json json = Json::object();
  for (const CrossCheck& check : checks) {
    Json& both = json[GetMetric(check.metric).name];
    for (const auto& [name, member] : kCounters) {
      const CountedBy& counted = check.*member;
      both[name] = {{"origin", Utf8(counted.origin)},
                    {"status", StatusName(counted.status)},
                    {"sum", FiniteOrNull(counted.sum)}};
    }
  }
  return json;
}

std::vector<CrossCheck> ToCrossChecks(const JsonNode& node) {
  std::vector<CrossCheck> checks;
  if (!node.present()) return checks;
  node.Members();  // checks that it is an object
  for (const MetricId metric : kCrossChecked) {
    const JsonNode both = node[GetMetric(metric).name.c_str()];
    if (!both.present()) continue;
    CrossCheck& check = checks.emplace_back();
    check.metric = metric;
    for (const auto& [name, member] : kCounters) {
      const JsonNode counted = both[name].Required();
      check.*member = {counted["origin"].Required().String(),
                       ReadStatus(counted["status"].Required()),
                       counted["sum"].Required().Figure(std::numeric_limits<double>::max())};
    }
  }
  return checks;
}

Json FromPath(const JobProfile& job, size_t row) {
  const PathInfo& info = job.paths[row];
  Json json = {{"path", Utf8(info.path)},
               {"name", Utf8(LeafName(info.path))},
               {"file", Utf8(info.file)},
               {"line", info.line},
               {"kind", kRegionKindNames[static_cast<size_t>(info.kind)]}};
  if (!info.operation.empty()) json["operation"] = Utf8(info.operation);
  if (!info.critical.file.empty()) json["critical"] = FromCritical(info.critical);
  if (info.unfinished != 0) json["unfinished"] = info.unfinished;
  if (!info.repeats_ns.empty()) json["repeats_ns"] = info.repeats_ns;
  if (!info.cross_checks.empty()) json["cross_check"] = FromCrossChecks(info.cross_checks);
  json["metrics"] = WriteCells({job.cells, row});
  // Of one rank they follow from its metrics.
  if (job.run.ranks_merged > 1) {
    Json spreads = WriteSpreads(job, row);
    if (!spreads.empty()) json["spread"] = std::move(spreads);
  }
  return json;
}

// `repeats`: how many executions the run had.
PathInfo ToPath(const JsonNode& node, size_t repeats) {
  PathInfo info;
  info.path = node["path"].Required().String();
  if (const std::string why = WhyNoPath(info.path); !why.empty()) node["path"].Fail(why);
  info.file = node["file"].String();
  info.line = node["line"].Uint32();
  info.operation = node["operation"].String();
  info.critical = ToCritical(node["critical"]);
  info.unfinished = node["unfinished"].Uint();
  info.cross_checks = ToCrossChecks(node["cross_check"]);
  const std::vector<JsonNode> times = node["repeats_ns"].Items();
  if (times.size() != (times.empty() ? 0 : repeats)) {
    node["repeats_ns"].Fail(fmt::format("must have {} values, as /run/repeats_s has", repeats));
  }
  for (const JsonNode& time : times) info.repeats_ns.push_back(time.Uint());
  const std::string kind = node["kind"].Required().String();
  const auto known = std::find(kRegionKindNames.begin(), kRegionKindNames.end(), kind);
  if (known == kRegionKindNames.end()) {
    node["kind"].Fail("must be \"team\", \"thread\" or \"found\"");
  } else {
    info.kind = static_cast<RegionKind>(known - kRegionKindNames.begin());
  }
  return info;
}

// Rows are put into the order that JobProfile promises, in whatever order they stand.
void ToPaths(const JsonNode& node, JobProfile& job) {
  const std::vector<JsonNode> items = node.Items(limits::kPaths);
  std::map<std::string, std::pair<PathInfo, const JsonNode*>> by_path;
  for (const JsonNode& item : items) {
    PathInfo info = ToPath(item, job.run.repeats_s.size());
    const std::string key = info.path;
    if (!by_path.emplace(key, std::make_pair(std::move(info), &item)).second) {
      item["path"].Fail("names a path that is already in the file");
    }
  }
  job.cells = CellTable(by_path.size());
  for (auto& [key, row] : by_path) {
    job.paths.push_back(std::move(row.first));
    ReadCells((*row.second)["metrics"].Required(), {job.cells, job.paths.size() - 1});
  }
  if (job.run.ranks_merged == 1) {
    FillTotals(job);  // an older roofmark wrote none
    return FillSpreads(job);
  }
  for (const auto& [key, row] : by_path) ReadSpreads((*row.second)["spread"], job);
}

}  // namespace

namespace {

// Who knows of one machine alone would take the first of several for that of all nodes.
void PutMachines(const RooflineFile& file, Json& root) {
  Json machines = Json::array();
  for (const std::string& text : file.machines) {
    Json machine = Json::parse(text, nullptr, false);
    if (machine.is_object()) machines.push_back(std::move(machine));
  }
  root["machine"] = machines.size() == 1 ? std::move(machines[0]) : Json(nullptr);
  if (machines.size() > 1) root["machines"] = std::move(machines);
}

void TakeMachine(const JsonNode& node, RooflineFile& file) {
  if (!node.present()) return;
  node.Members();  // checks that it is an object
  file.machines.push_back(DumpDocument(node.json()));
}

// With the first `rows` of the paths. What is left out is not missing elsewhere: values of a path
// include those of the paths below it, which stand behind it.
Json FromFile(const RooflineFile& file, size_t rows) {
  Json root;
  root["format"] = kKind.format;
  root["version"] = kKind.version;
  root["run"] = FromRun(file.job.run);
  const size_t missing = file.job.paths.size() - rows;
  if (missing != 0) {
    root["run"]["warnings"].push_back(
        fmt::format("{} of {} regions were left out, because files are limited to {} regions and "
                    "{} values: use fewer different names",
                    missing, file.job.paths.size(), limits::kPaths, limits::kJsonValues));
  }
  root["metrics"] = FromSources(file.job);
  root["paths"] = Json::array();
  for (size_t row = 0; row < rows; ++row) root["paths"].push_back(FromPath(file.job, row));
  for (size_t row = 0; row < file.job.whole.rows(); ++row) {
    root[kWholeMembers[row]]["metrics"] = WriteCells({file.job.whole, row});
  }
  if (!file.job.run.devices.empty()) {
    std::set<std::string> paths;
    for (size_t row = 0; row < rows; ++row) paths.insert(file.job.paths[row].path);
    root["devices"] = WriteDevices(file.job.run.devices, paths);
  }
  if (!file.hot.loops.empty()) root["hot_loops"] = WriteHotLoops(file.hot);
  PutMachines(file, root);
  return root;
}

}  // namespace

std::string RooflineToJson(const RooflineFile& file) {
  const size_t all = file.job.paths.size();
  for (size_t rows = std::min<size_t>(all, limits::kPaths);;) {
    const Json root = FromFile(file, rows);
    const size_t values = CountValues(root);
    std::string text = values > limits::kJsonValues ? std::string() : DumpDocument(root);
    const double excess =
        std::max(static_cast<double>(values) / static_cast<double>(limits::kJsonValues),
                 static_cast<double>(text.size()) / static_cast<double>(limits::kRooflineBytes));
    if (excess <= 1 || rows == 0) return text;
    rows = static_cast<size_t>(0.9 * static_cast<double>(rows) / excess);
  }
}

Result<RooflineFile> RooflineFromJson(std::string_view text, const std::string& name) {
  Result<Json> parsed = ParseDocument(text, name, kKind);
  if (!parsed) return Error{parsed.error()};
  std::string error;
  const JsonNode root(&*parsed, "", &error);
  RooflineFile file;
  file.job.run = ToRun(root["run"].Required());
  ToSources(root["metrics"].Required(), file.job);
  ToPaths(root["paths"].Required(), file.job);
  ToWhole(root, file.job);
  file.job.run.devices = ReadDevices(root["devices"]);
  file.hot = ReadHotLoops(root["hot_loops"]);
  TakeMachine(root["machine"], file);
  for (const JsonNode& machine : root["machines"].Items()) TakeMachine(machine, file);
  if (!error.empty()) return Damaged(name, kKind, error);
  return file;
}

}  // namespace roofmark
