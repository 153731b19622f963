// SPDX-License-Identifier: BSD-3-Clause
//
// The analysis for programs: every derived number with unit, status and origin, or null with the
// reason.
#include <algorithm>

#include "lib/core/table.h"
#include "lib/model/advice.h"
#include "lib/model/derived.h"
#include "lib/model/repeats.h"
#include "lib/profile/json_document.h"
#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "lib/report/device_words.h"
#include "lib/report/devices.h"
#include "lib/report/found_words.h"
#include "lib/report/health_words.h"
#include "lib/report/loops_json.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

constexpr Named<CeilingFit> kFits[] = {{CeilingFit::kOpen, "open"},
                                       {CeilingFit::kPassed, "passed"},
                                       {CeilingFit::kForeign, "foreign"}};
static_assert(InOrder(kFits, CeilingFit::kForeign));

constexpr Named<CeilingAxis> kAxes[] = {{CeilingAxis::kCompute, "compute"},
                                        {CeilingAxis::kMemory, "memory"},
                                        {CeilingAxis::kWall, "intensity"}};
static_assert(InOrder(kAxes, CeilingAxis::kWall));

constexpr Named<AdviceKind> kKinds[] = {{AdviceKind::kCure, "cure"},
                                        {AdviceKind::kWaiting, "waiting"},
                                        {AdviceKind::kKernel, "kernel"},
                                        {AdviceKind::kMpiWork, "mpi_work"},
                                        {AdviceKind::kUnexplained, "unexplained"}};
static_assert(InOrder(kKinds, AdviceKind::kUnexplained));

constexpr Named<HealthId> kHealth[] = {{HealthId::kSharedCpus, "shared_cpus"},
                                       {HealthId::kUnmeasuredNodes, "unmeasured_nodes"},
                                       {HealthId::kOtherMachine, "other_machine"},
                                       {HealthId::kLowClock, "low_clock"},
                                       {HealthId::kSlowNodes, "slow_nodes"},
                                       {HealthId::kRunQueue, "run_queue"},
                                       {HealthId::kDebugBuild, "debug_build"},
                                       {HealthId::kMissingRanks, "missing_ranks"},
                                       {HealthId::kWarning, "warning"},
                                       {HealthId::kDoubtfulMachine, "doubtful_machine"},
                                       {HealthId::kNoisyRoofs, "noisy_roofs"},
                                       {HealthId::kAboveAttainable, "above_attainable"},
                                       {HealthId::kPageFaults, "page_faults"},
                                       {HealthId::kUnevenVisits, "uneven_visits"},
                                       {HealthId::kDeclaredDiffers, "declared_differs"},
                                       {HealthId::kExtrapolated, "extrapolated"},
                                       {HealthId::kRepeatsDiffer, "repeats_differ"},
                                       {HealthId::kMarkers, "markers"},
                                       {HealthId::kOutsideRegions, "outside_regions"}};
static_assert(InOrder(kHealth, HealthId::kOutsideRegions));

constexpr Named<LimitedBy> kLimits[] = {{LimitedBy::kUnknown, "unknown"},
                                        {LimitedBy::kWaiting, "waiting"},
                                        {LimitedBy::kKernel, "kernel"},
                                        {LimitedBy::kUnexplained, "unexplained"},
                                        {LimitedBy::kResource, "resource"},
                                        {LimitedBy::kMpiWork, "mpi_work"},
                                        {LimitedBy::kBoundIsWrong, "bound_is_wrong"},
                                        {LimitedBy::kPhases, "phases"}};
static_assert(InOrder(kLimits, LimitedBy::kPhases));

Json Number(const Value& value) {
  if (!value) {
    return {{"value", nullptr},
            {"status", StatusName(value.status)},
            {"reason", ReasonText(value.reason)}};
  }
  Json json = {{"value", FiniteOrNull(*value)}, {"status", StatusName(value.status)}};
  if (!value.origin.empty()) json["origin"] = value.origin;
  if (value.within) {
    json["interval"] = {{"least", FiniteOrNull(value.within->least)},
                        {"most", FiniteOrNull(value.within->most)}};
  }
  return json;
}

Json RangeJson(const Interval& interval) {
  Json json = Number(interval.least);
  if (interval.least && interval.most > *interval.least) {
    json["most"] = FiniteOrNull(interval.most);
  }
  return json;
}

Json NeighbourJson(const Neighbour& neighbour) {
  const Ceiling& ceiling = neighbour.ceiling;
  Json json = {{"name", CeilingName(ceiling)},
               {"type", ceiling.Limiter()},
               {ceiling.IsMemory() ? "gbytes_per_s" : "gflops", FiniteOrNull(ceiling.height.most)},
               {"allows_gflops", FiniteOrNull(neighbour.gflops)},
               {"fit", RowOf(kFits, ceiling.fit).name}};
  if (ceiling.IsMemory()) json["level"] = LevelName(ceiling.level);
  if (ceiling.proof.id != ProofId::kNone) json["proof"] = ProofText(ceiling.proof);
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

Json PhasesJson(const std::vector<Phase>& phases) {
  Json list = Json::array();
  for (const Phase& phase : phases) {
    list.push_back({{"limit", phase.mark}, {"share", FiniteOrNull(phase.share)}});
  }
  return list;
}

Json SplitJson(const PathAnalysis& path) {
  const TimeSplit& split = path.split;
  return {{"limited_by", RowOf(kLimits, path.limit.what).name},
          {"resource", path.limit.resource},
          {"beside", path.limit.beside},
          {"phases", PhasesJson(path.limit.phases)},
          {"bound_s", Number(split.bound_s)},
          {"needed_s", Number(split.needed_s)},
          {"inside_mpi_s", split.inside_mpi_s},
          {"in_openmp_s", split.in_openmp_s},
          {"in_kernel_s", split.in_kernel_s},
          {"unexplained_s", Number(split.unexplained_s)},
          {"sentence", LimitSentence(path)}};
}

Json RangeJson(const TimeInterval& seconds) {
  return {{"least", FiniteOrNull(seconds.least)}, {"most", FiniteOrNull(seconds.most)}};
}

Json WaitingJson(const Waiting& waiting) {
  return {{"waits", waiting.waits()}, {"sentence", WaitingSentence(waiting)}};
}

Json VerdictJson(const PathAnalysis& path) {
  const Verdict& verdict = path.verdict;
  return {{"above", NeighbourJson(verdict.above)},
          {"below", NeighbourJson(verdict.below)},
          {"ceilings", NeighboursJson(verdict.ceilings)},
          {"limiter", path.limit.Kind()},
          {"optimisation_region", verdict.optimisation_region},
          {"fitting_ceiling", CeilingName(path.ceiling)}};
}

Json CeilingsJson(const RuntimeModel& runtime) {
  Json ceilings = Json::array();
  for (const Ceiling& ceiling : runtime.ceilings) {
    Json json = {{"id", InfoOf(ceiling.shortfall).name},
                 {"axis", RowOf(kAxes, ceiling.axis).name},
                 {"unit", AxisUnit(ceiling.axis, runtime)},
                 {"height", RangeJson(ceiling.height)},
                 {"gain", RangeJson(ceiling.gain)},
                 {"extent", Number(ceiling.extent)},
                 {"rank", ceiling.rank > 0 ? Json(ceiling.rank) : Json(nullptr)}};
    if (ceiling.rank > 0) json["advice"] = AdviceSentence(ceiling, runtime);
    ceilings.push_back(std::move(json));
  }
  return ceilings;
}

// Each derived value under its name in the table.
void AddDerived(Json& json, const Derivation& of) {
  for (const DerivedInfo& row : DerivedValues()) {
    const std::string name(row.name);
    if (row.text != nullptr) {
      json[name] = row.text(of);
      continue;
    }
    const Value value = row.value(of);
    if (!value && row.is_optional) continue;
    json[name] = Number(value);
    json[name]["unit"] = UnitOf(row, of.analysis);
  }
}

Json CriticalJson(const CriticalPlace& place) {
  return {{"file", Utf8(place.file)}, {"line", place.line}, {"share", place.Share()}};
}

Json PathJson(const ReportJob& job, size_t index) {
  const PathInfo& info = job.profile.paths[index];
  const PathAnalysis& path = job.analysis.paths[index];
  Json json = {{"path", Utf8(info.path)}};
  if (!info.operation.empty()) json["operation"] = Utf8(info.operation);
  if (!info.critical.file.empty()) json["critical"] = CriticalJson(info.critical);
  AddDerived(json, {job.profile, index, path});
  json["verdict"] = VerdictJson(path);
  json["time_split"] = SplitJson(path);
  json["waiting"] = WaitingJson(path.waiting);
  if (const auto repeats = RepeatsOf(info)) json["repeats_s"] = RangeJson(*repeats);
  json["mix"] = {{"work", path.runtime.unit},
                 {"binding", path.runtime.binding},
                 {"note", NoteText(path.runtime.note)},
                 {"ceilings", CeilingsJson(path.runtime)}};
  return json;
}

Json AdviceJson(const ReportJob& job) {
  Json list = Json::array();
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    const Deed deed = DeedOf(advice, job);
    Json json = {{"path", Utf8(job.profile.paths[advice.path].path)},
                 {"kind", RowOf(kKinds, advice.kind).name},
                 {"deed", deed.deed},
                 {"saves_s", RangeJson(advice.saves)},
                 {"expected_s", FiniteOrNull(advice.expected_s)},
                 {"sentence", AdviceSentence(advice, job)}};
    if (!deed.place.empty()) json["place"] = Utf8(deed.place);
    if (advice.kind == AdviceKind::kCure) {
      json["id"] = InfoOf(advice.shortfall).name;
      json["gain"] = FiniteOrNull(advice.gain);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json HealthJson(const ReportJob& job) {
  Json list = Json::array();
  for (const HealthIssue& issue : HealthOf(job.profile, job.analysis)) {
    Json paths = Json::array();
    for (const size_t path : issue.paths) paths.push_back(Utf8(job.profile.paths[path].path));
    list.push_back({{"id", RowOf(kHealth, issue.id).name},
                    {"cost_s", issue.cost ? RangeJson(*issue.cost) : Json(nullptr)},
                    {"paths", std::move(paths)},
                    {"sentence", HealthSentence(issue, job)}});
  }
  return list;
}

// Of a kind of many nodes the first ones are named.
Json KindsJson(const ReportJob& job) {
  constexpr size_t kMostNames = 64;
  Json list = Json::array();
  for (const AnalyzedKind& kind : job.analysis.kinds) {
    Json names = Json::array();
    for (size_t i = 0; i < std::min(kMostNames, kind.hosts.size()); ++i) {
      names.push_back(Utf8(job.profile.run.hosts[kind.hosts[i]].name));
    }
    list.push_back({{"kind", kind.key.empty() ? Json(nullptr) : Json(Utf8(kind.key))},
                    {"cpu", kind.cpu.empty() ? Json(nullptr) : Json(Utf8(kind.cpu))},
                    {"nodes", kind.hosts.size()},
                    {"hosts", std::move(names)},
                    {"machine", kind.measured ? Json(Utf8(kind.machine)) : Json(nullptr)},
                    {"cores", kind.measured ? Json(kind.cores) : Json(nullptr)}});
  }
  return list;
}

Json DeviceRegionJson(const DeviceDerivation& of) {
  Json json = {{"path", Utf8(of.row.path)}};
  for (const DeviceValueInfo& info : DeviceValues()) {
    const std::string name(info.name);
    if (info.text != nullptr) {
      json[name] = info.text(of);
      continue;
    }
    json[name] = Number(info.value(of));
    json[name]["unit"] = info.unit;
  }
  json["has_uncounted_flops"] = HasUncountedFlops(of);
  return json;
}

Json DeviceRoofsJson(const DeviceRoofs& roofs) {
  Json json = Json::object();
  for (const DeviceRoofInfo& info : kDeviceRoofTable) {
    const std::string name(info.name);
    json[name] = Number(roofs.Of(info.id));
    json[name]["unit"] = info.unit;
  }
  return json;
}

Json DeviceAdviceJson(const ReportJob& job) {
  Json list = Json::array();
  for (const DeviceAdviceLine& line : DeviceAdviceLines(job)) {
    const DeviceAdvice& advice = line.advice;
    list.push_back({{"path", Utf8(job.profile.paths[advice.path].path)},
                    {"device", Utf8(job.profile.run.devices[advice.device].uuid)},
                    {"id", InfoOf(advice.gain.shortfall).name},
                    {"saves_s", RangeJson(advice.gain.saves)},
                    {"expected_s", FiniteOrNull(advice.gain.expected_s)},
                    {"sentence", Utf8(line.sentence)}});
  }
  return list;
}

Json DevicesJson(const ReportJob& job) {
  Json list = Json::array();
  for (size_t d = 0; d < job.profile.run.devices.size(); ++d) {
    const DeviceInfo& device = job.profile.run.devices[d];
    const DeviceRoofs& roofs = job.analysis.devices.at(d);
    Json regions = Json::array();
    for (const DeviceDerivation& of : RegionsOf(job, d)) {
      regions.push_back(DeviceRegionJson(of));
    }
    list.push_back({{"host", Utf8(device.host)},
                    {"uuid", Utf8(device.uuid)},
                    {"name", Utf8(device.name)},
                    {"chip", Utf8(device.chip)},
                    {"processes", device.processes},
                    {"ceilings", DeviceRoofsJson(roofs)},
                    {"measured_on", Utf8(roofs.measured_on)},
                    {"regions", std::move(regions)}});
  }
  return list;
}

}  // namespace

std::string RenderJson(const std::vector<ReportJob>& jobs) {
  Json all = Json::array();
  for (const ReportJob& job : jobs) {
    Json paths = Json::array();
    for (size_t p = 0; p < job.profile.paths.size(); ++p) {
      paths.push_back(PathJson(job, p));
      paths.back()["kind"] = RowOf(kRegionKindNames, job.profile.paths[p].kind);
    }
    Json json = {
        {"name", Utf8(job.name)},
        {"machine", job.analysis.roofs ? Json(Utf8(job.analysis.roofs->machine)) : Json(nullptr)},
        {"kinds", KindsJson(job)},
        {"health", HealthJson(job)},
        {"advice", AdviceJson(job)},
        {"paths", std::move(paths)}};
    if (const std::string_view fact = FoundFact(job.profile.run); !fact.empty()) {
      json["found"] = Utf8(fact);
    }
    const ReportJob whole = WholeJob(job);
    for (size_t p = 0; p < whole.profile.paths.size(); ++p) {
      json["whole"].push_back(PathJson(whole, p));
    }
    if (!job.loops.loops.empty()) json["loops"] = LoopsJson(job.loops);
    if (!job.profile.run.devices.empty()) {
      json["devices"] = DevicesJson(job);
      json["device_advice"] = DeviceAdviceJson(job);
    }
    all.push_back(std::move(json));
  }
  return DumpDocument({{"format", "roofmark-analysis"}, {"version", 1}, {"jobs", std::move(all)}});
}

}  // namespace roofmark
