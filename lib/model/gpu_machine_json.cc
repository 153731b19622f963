// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/gpu_machine_json.h"

#include <utility>

#include "lib/core/limits.h"
#include "lib/model/figures_json.h"

namespace roofmark {
namespace {

constexpr uint64_t kMostWarps = 1024;

Json FromGpuPoint(const GpuPoint& point) {
  Json json = {{"warps", point.warps}};
  FiguresToJson(point, json);
  if (point.watts > 0) json["watts"] = FiniteOrNull(point.watts);
  return json;
}

GpuPoint ToGpuPoint(const JsonNode& node) {
  GpuPoint point;
  point.warps = node["warps"].Within(0, kMostWarps, 0);
  FiguresFromJson(node, point);
  point.watts = node["watts"].Figure(limits::kFigure);
  return point;
}

Json FromGpuCeiling(const GpuCeiling& ceiling) {
  Json curve = Json::array();
  for (const GpuPoint& point : ceiling.curve) curve.push_back(FromGpuPoint(point));
  Json json = {{"id", Utf8(ceiling.id)},
               {"label", Utf8(ceiling.label)},
               {"unit", Utf8(ceiling.unit)},
               {"curve", std::move(curve)}};
  if (ceiling.data_sheet > 0) json["data_sheet"] = FiniteOrNull(ceiling.data_sheet);
  return json;
}

GpuCeiling ToGpuCeiling(const JsonNode& node) {
  GpuCeiling ceiling;
  ceiling.id = node["id"].Required().String();
  ceiling.label = node["label"].String();
  ceiling.unit = node["unit"].Required().String();
  ceiling.data_sheet = node["data_sheet"].Figure(limits::kFigure);
  for (const JsonNode& point : node["curve"].Required().Items()) {
    ceiling.curve.push_back(ToGpuPoint(point));
    const size_t n = ceiling.curve.size();
    if (n > 1 && ceiling.curve[n - 2].warps >= ceiling.curve[n - 1].warps) {
      point["warps"].Fail("must be above those of the point before");
    }
  }
  if (ceiling.curve.empty()) node["curve"].Fail("must be an array with at least one point");
  return ceiling;
}

}  // namespace

Json GpuToJson(const GpuMachine& gpu) {
  Json json = {{"uuid", Utf8(gpu.uuid)},
               {"name", Utf8(gpu.name)},
               {"driver", Utf8(gpu.driver)},
               {"memory_bytes", gpu.memory_bytes},
               {"l2_bytes", gpu.l2_bytes}};
  for (const DevicePropertyInfo& property : kDevicePropertyTable) {
    json[property.name] = gpu.properties.*property.member;
  }
  if (gpu.power_limit_watts > 0) json["power_limit_watts"] = FiniteOrNull(gpu.power_limit_watts);
  json["ceilings"] = Json::array();
  for (const GpuCeiling& ceiling : gpu.ceilings) {
    json["ceilings"].push_back(FromGpuCeiling(ceiling));
  }
  json["warnings"] = Json::array();
  for (const std::string& warning : gpu.warnings) json["warnings"].push_back(Utf8(warning));
  return json;
}

GpuMachine GpuFromJson(const JsonNode& node) {
  GpuMachine gpu;
  gpu.uuid = node["uuid"].Required().String();
  gpu.name = node["name"].String();
  gpu.driver = node["driver"].String();
  gpu.memory_bytes = node["memory_bytes"].Uint();
  gpu.l2_bytes = node["l2_bytes"].Uint();
  for (const DevicePropertyInfo& property : kDevicePropertyTable) {
    gpu.properties.*property.member = node[property.name].Uint32();
  }
  gpu.power_limit_watts = node["power_limit_watts"].Figure(limits::kFigure);
  for (const JsonNode& ceiling : node["ceilings"].Required().Items()) {
    gpu.ceilings.push_back(ToGpuCeiling(ceiling));
  }
  gpu.warnings = node["warnings"].Strings();
  return gpu;
}

}  // namespace roofmark
