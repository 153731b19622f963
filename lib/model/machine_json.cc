// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_json.h"

#include <tuple>
#include <utility>

#include "lib/core/limits.h"
#include "lib/model/figures_json.h"
#include "lib/model/gpu_machine_json.h"
#include "lib/profile/json_document.h"

namespace roofmark {
namespace {

constexpr DocumentKind kKind = {"roofmark-machine", "machine file", Machine::kVersion,
                                "give a file that `roofmark machine` wrote"};

Json FromPoint(const MachinePoint& point) {
  Json json = {{"cores", point.cores}, {"packages", point.packages}};
  FiguresToJson(point, json);
  if (!point.variant.empty()) json["variant"] = Utf8(point.variant);
  if (point.nodes > 1) {
    json["nodes"] = point.nodes;
    json["node_min"] = FiniteOrNull(point.node_min);
    json["node_max"] = FiniteOrNull(point.node_max);
  }
  return json;
}

MachinePoint ToPoint(const JsonNode& node) {
  MachinePoint point;
  point.cores = node["cores"].Required().Within(1, limits::kCpus, 1);
  point.packages = node["packages"].Within(1, limits::kCpus, 1);
  FiguresFromJson(node, point);
  point.variant = node["variant"].String();
  point.nodes = node["nodes"].Within(1, limits::kRanks, 1);
  point.node_min = node["node_min"].Figure(limits::kFigure);
  point.node_max = node["node_max"].Figure(limits::kFigure);
  return point;
}

bool Ascends(const MachinePoint& before, const MachinePoint& after) {
  return std::tie(before.packages, before.cores) < std::tie(after.packages, after.cores);
}

Json FromCeiling(const CeilingCurve& ceiling) {
  Json curve = Json::array();
  for (const MachinePoint& point : ceiling.curve) curve.push_back(FromPoint(point));
  return {{"id", Utf8(ceiling.id)},     {"label", Utf8(ceiling.label)},
          {"unit", Utf8(ceiling.unit)}, {"counted_factor", FiniteOrNull(ceiling.counted_factor)},
          {"curve", std::move(curve)},  {"note", Utf8(ceiling.note)}};
}

CeilingCurve ToCeiling(const JsonNode& node) {
  CeilingCurve ceiling;
  ceiling.id = node["id"].Required().String();
  ceiling.label = node["label"].String();
  ceiling.unit = node["unit"].Required().String();
  ceiling.counted_factor = node["counted_factor"].Figure(limits::kFactor, 1);
  if (!(ceiling.counted_factor > 0)) node["counted_factor"].Fail("must be above zero");
  ceiling.note = node["note"].String();
  for (const JsonNode& point : node["curve"].Required().Items()) {
    ceiling.curve.push_back(ToPoint(point));
    const size_t n = ceiling.curve.size();
    if (n > 1 && !Ascends(ceiling.curve[n - 2], ceiling.curve[n - 1])) {
      point["cores"].Fail("must be above that of the point before, or on more packages");
    }
  }
  if (ceiling.curve.empty()) node["curve"].Fail("must be an array with at least one point");
  return ceiling;
}

Json FromCache(const CacheLevel& cache) {
  return {{"level", cache.level},
          {"size_bytes", cache.size_bytes},
          {"ways", cache.ways},
          {"line_bytes", cache.line_bytes},
          {"shared_by_cores", cache.shared_by_cores},
          {"plateau_bytes", cache.plateau_bytes}};
}

CacheLevel ToCache(const JsonNode& node) {
  CacheLevel cache;
  cache.level = node["level"].Required().Within(1, 16, 1);
  cache.size_bytes = node["size_bytes"].Uint();
  cache.ways = node["ways"].Uint32();
  cache.line_bytes = node["line_bytes"].Within(1, 1 << 20, 64);
  cache.shared_by_cores = node["shared_by_cores"].Within(1, limits::kCpus, 1);
  cache.plateau_bytes = node["plateau_bytes"].Uint();
  return cache;
}

Json FromNumaNode(const NumaNode& node) {
  return {{"index", node.index},
          {"kind", Utf8(node.kind)},
          {"memory_bytes", node.memory_bytes},
          {"cores", node.cores}};
}

NumaNode ToNumaNode(const JsonNode& json) {
  NumaNode node;
  node.index = json["index"].Required().Uint32();
  node.kind = json["kind"].String();
  node.memory_bytes = json["memory_bytes"].Uint();
  node.cores = json["cores"].Uint32();
  return node;
}

Json FromStrings(const std::vector<std::string>& strings) {
  Json json = Json::array();
  for (const std::string& text : strings) json.push_back(Utf8(text));
  return json;
}

Json FromHardware(const Machine& machine) {
  Json caches = Json::array();
  for (const CacheLevel& cache : machine.caches) caches.push_back(FromCache(cache));
  Json numa_nodes = Json::array();
  for (const NumaNode& node : machine.numa_nodes) numa_nodes.push_back(FromNumaNode(node));
  return {{"cpu_vendor", Utf8(machine.cpu_vendor)},
          {"cpu_model", Utf8(machine.cpu_model)},
          {"cpu_family", machine.cpu_family},
          {"cpu_model_number", machine.cpu_model_number},
          {"cpu_stepping", machine.cpu_stepping},
          {"microcode", Utf8(machine.microcode)},
          {"kernel", Utf8(machine.kernel)},
          {"governor", Utf8(machine.governor)},
          {"max_khz", machine.max_khz},
          {"firmware", Utf8(machine.firmware)},
          {"cpuset", Utf8(machine.cpuset)},
          {"packages", machine.packages},
          {"cores", machine.cores},
          {"threads", machine.threads},
          {"package_cpus", FromStrings(machine.package_cpus)},
          {"numa_nodes", std::move(numa_nodes)},
          {"memory_bytes", machine.memory_bytes},
          {"isa", FromStrings(machine.isa)},
          {"caches", std::move(caches)}};
}

void ToHardware(const JsonNode& node, Machine& machine) {
  machine.cpu_vendor = node["cpu_vendor"].String();
  machine.cpu_model = node["cpu_model"].String();
  machine.cpu_family = node["cpu_family"].Uint32();
  machine.cpu_model_number = node["cpu_model_number"].Uint32();
  machine.cpu_stepping = node["cpu_stepping"].Uint32();
  machine.microcode = node["microcode"].String();
  machine.kernel = node["kernel"].String();
  machine.governor = node["governor"].String();
  machine.max_khz = node["max_khz"].Uint();
  machine.firmware = node["firmware"].String();
  machine.cpuset = node["cpuset"].String();
  machine.packages = node["packages"].Within(1, limits::kCpus, 1);
  machine.cores = node["cores"].Within(1, limits::kCpus, 1);
  machine.threads = node["threads"].Within(1, limits::kCpus, 1);
  machine.package_cpus = node["package_cpus"].Strings();
  for (const JsonNode& numa : node["numa_nodes"].Items()) {
    machine.numa_nodes.push_back(ToNumaNode(numa));
  }
  machine.memory_bytes = node["memory_bytes"].Uint();
  machine.isa = node["isa"].Strings();
  for (const JsonNode& cache : node["caches"].Items()) machine.caches.push_back(ToCache(cache));
}

}  // namespace

std::string MachineToJson(const Machine& machine) {
  Json root;
  root["format"] = kKind.format;
  root["version"] = kKind.version;
  root["hardware"] = FromHardware(machine);
  if (!machine.nodes.empty()) root["nodes"] = FromStrings(machine.nodes);
  root["measured_at"] = Utf8(machine.measured_at);
  root["effort"] = Utf8(machine.effort);
  root["partial"] = machine.partial;
  root["seconds"] = FiniteOrNull(machine.seconds);
  root["warnings"] = FromStrings(machine.warnings);
  if (!machine.contradictions.empty()) {
    root["contradictions"] = FromStrings(machine.contradictions);
  }
  root["ceilings"] = Json::array();
  for (const CeilingCurve& ceiling : machine.ceilings) {
    root["ceilings"].push_back(FromCeiling(ceiling));
  }
  for (const GpuMachine& gpu : machine.gpus) root["gpus"].push_back(GpuToJson(gpu));
  return DumpDocument(root);
}

Result<Machine> MachineFromJson(std::string_view text, const std::string& name) {
  Result<Json> parsed = ParseDocument(text, name, kKind);
  if (!parsed) return Error{parsed.error()};
  std::string error;
  const JsonNode root(&*parsed, "", &error);
  Machine machine;
  ToHardware(root["hardware"].Required(), machine);
  machine.nodes = root["nodes"].Strings();
  machine.measured_at = root["measured_at"].String();
  machine.effort = root["effort"].String();
  machine.partial = root["partial"].Bool();
  machine.seconds = root["seconds"].Figure(limits::kFigure);
  machine.warnings = root["warnings"].Strings();
  machine.contradictions = root["contradictions"].Strings();
  for (const JsonNode& ceiling : root["ceilings"].Required().Items()) {
    machine.ceilings.push_back(ToCeiling(ceiling));
  }
  for (const JsonNode& gpu : root["gpus"].Items()) machine.gpus.push_back(GpuFromJson(gpu));
  if (!error.empty()) return Damaged(name, kKind, error);
  return machine;
}

}  // namespace roofmark
