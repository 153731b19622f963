// SPDX-License-Identifier: BSD-3-Clause
//
// The analysis for programs: every derived number with unit in its name, status and origin, or null
// with the reason.
#include "lib/model/advice.h"
#include "lib/profile/json_document.h"
#include "lib/report/report.h"

namespace roofmark {
namespace {

Json Number(const Value& value) {
  if (!value) {
    return {{"value", nullptr}, {"status", StatusName(value.status)}, {"reason", value.reason}};
  }
  Json json = {{"value", FiniteOrNull(*value)}, {"status", StatusName(value.status)}};
  if (!value.origin.empty()) json["origin"] = value.origin;
  return json;
}

Json Range(const Interval& interval) {
  Json json = Number(interval.least);
  if (interval.least && interval.most > *interval.least) {
    json["most"] = FiniteOrNull(interval.most);
  }
  return json;
}

Json Levels(const std::array<Value, kMemoryLevels>& values) {
  Json json = Json::object();
  for (const MemoryLevel level : kAllLevels) {
    json[std::string(LevelName(level))] = Number(values[static_cast<size_t>(level)]);
  }
  return json;
}

Json NeighbourJson(const Neighbour& neighbour) {
  constexpr const char* kFits[] = {"open", "passed", "foreign"};
  const NamedCeiling& ceiling = neighbour.ceiling;
  Json json = {{"name", ceiling.name},
               {"type", ceiling.memory ? "memory" : "compute"},
               {ceiling.memory ? "gbytes_per_s" : "gflops", FiniteOrNull(ceiling.value)},
               {"allows_gflops", FiniteOrNull(neighbour.gflops)},
               {"fit", kFits[static_cast<size_t>(ceiling.fit)]}};
  if (ceiling.memory) json["level"] = LevelName(ceiling.level);
  if (!ceiling.proof.empty()) json["proof"] = ceiling.proof;
  return json;
}

Json NeighbourJson(const std::optional<Neighbour>& neighbour) {
  return neighbour ? NeighbourJson(*neighbour) : Json(nullptr);
}

Json NeighboursJson(const std::vector<Neighbour>& neighbours) {
  Json list = Json::array();
  for (const Neighbour& neighbour : neighbours) list.push_back(NeighbourJson(neighbour));
  return list;
}

Json WaitingJson(const Waiting& waiting) {
  return {{"waits", waiting.waits},
          {"busy_share", Number(waiting.busy_share)},
          {"sentence", waiting.sentence}};
}

Json VerdictJson(const PathAnalysis& path) {
  const Verdict& verdict = path.verdict;
  return {{"above", NeighbourJson(verdict.above)},
          {"below", NeighbourJson(verdict.below)},
          {"ceilings", NeighboursJson(verdict.ceilings)},
          {"limiter", verdict.limiter},
          {"optimisation_region", verdict.optimisation_region},
          {"ridge_point_flops_per_byte", Number(verdict.ridge_point)},
          {"fitting_ceiling", path.ceiling.label},
          {"efficiency", Number(path.efficiency)},
          {"efficiency_top_roof", Number(verdict.top_efficiency)},
          {"efficiency_no_fma_roof", Number(verdict.no_fma_efficiency)},
          {"level_gflops", Levels(verdict.level_gflops)},
          {"dram_gbytes_per_s", Number(verdict.dram_gbs)},
          {"declared_flops", Number(verdict.canonical_flops)},
          {"measured_over_declared_flops", Number(verdict.measured_over_canonical)},
          {"flops_with_divides_at_cost", Number(verdict.flops_at_cost)}};
}

Json CeilingsJson(const RuntimeModel& runtime) {
  constexpr const char* kAxes[] = {"compute", "memory", "intensity"};
  Json ceilings = Json::array();
  for (const RuntimeCeiling& ceiling : runtime.ceilings) {
    const auto axis = static_cast<size_t>(AxisOf(ceiling.shortfall));
    const std::string flops = runtime.unit == "FLOP" ? "GFLOP" : "1e9 operations";
    const std::string units[] = {
        flops + "/s", "GB/s",
        (runtime.unit == "FLOP" ? "FLOP" : "operation") + std::string("/byte")};
    Json json = {{"id", InfoOf(ceiling.shortfall).id},
                 {"axis", kAxes[axis]},
                 {"unit", units[axis]},
                 {"height", Range(ceiling.height)},
                 {"gain", Range(ceiling.gain)},
                 {"extent", Number(ceiling.extent)},
                 {"rank", ceiling.rank > 0 ? Json(ceiling.rank) : Json(nullptr)}};
    if (ceiling.rank > 0) json["advice"] = AdviceSentence(ceiling, runtime);
    ceilings.push_back(std::move(json));
  }
  return ceilings;
}

Json PathJson(const PathInfo& info, const PathAnalysis& path) {
  Json json = {{"path", Utf8(info.path)},
               {"time_s", Number(path.time_s)},
               {"time_share", Number(path.time_share)},
               {"flops", Number(path.total_flops)},
               {"gflops", Number(path.gflops)},
               {"intensity_flops_per_byte", Levels(path.intensity)},
               {"attainable_gflops", Number(path.bound.attainable_gflops)},
               {"binding", path.bound.binding},
               {"verdict", VerdictJson(path)},
               {"waiting", WaitingJson(path.waiting)}};
  if (!info.operation.empty()) {
    json["operation"] = Utf8(info.operation);
    json["operations"] = Number(path.operations);
    json["operations_1e9_per_s"] = Number(path.operation_rate);
  }
  if (path.mpi_share) {
    json["mpi_share"] = Number(path.mpi_share);
    json["imbalance_outside_mpi"] = Number(path.time_imbalance);
  }
  json["mix"] = {{"work", path.runtime.unit},
                 {"attainable_1e9_per_s", Number(path.runtime.attainable)},
                 {"binding", path.runtime.binding},
                 {"gain_moving_up", Number(path.runtime.gain_up)},
                 {"gain_moving_right", Number(path.runtime.gain_right)},
                 {"note", path.runtime.note},
                 {"ceilings", CeilingsJson(path.runtime)}};
  return json;
}

Json AdviceJson(const ReportJob& job) {
  Json list = Json::array();
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    list.push_back({{"path", Utf8(job.profile.paths[advice.path].path)},
                    {"id", InfoOf(advice.shortfall).id},
                    {"gain", FiniteOrNull(advice.gain)},
                    {"saves_up_to_s", FiniteOrNull(advice.saved_s)},
                    {"sentence", advice.sentence}});
  }
  return list;
}

}  // namespace

std::string RenderJson(const std::vector<ReportJob>& jobs) {
  Json all = Json::array();
  for (const ReportJob& job : jobs) {
    Json paths = Json::array();
    for (size_t p = 0; p < job.profile.paths.size(); ++p) {
      paths.push_back(PathJson(job.profile.paths[p], job.analysis.paths[p]));
    }
    all.push_back(
        {{"name", Utf8(job.name)},
         {"machine", job.analysis.roofs ? Json(Utf8(job.analysis.roofs->machine)) : Json(nullptr)},
         {"advice", AdviceJson(job)},
         {"paths", std::move(paths)}});
  }
  return DumpDocument({{"format", "roofmark-analysis"}, {"version", 1}, {"jobs", std::move(all)}});
}

}  // namespace roofmark
