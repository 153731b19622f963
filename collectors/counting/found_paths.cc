// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/found_paths.h"

#include <fmt/format.h>

#include "collectors/counting/functions/plan.h"
#include "lib/core/file.h"
#include "lib/core/function_choice.h"
#include "lib/found/found_json.h"

namespace roofmark::counting {

std::string FoundPaths::Start(Engine& engine, const Settings& settings) {
  if (!settings.nests.empty() && !settings.functions.empty()) {
    return "ROOFMARK_FUNCTIONS: ROOFMARK_NESTS is set, too, and both say which functions are "
           "regions; leave one of them out";
  }
  if (!settings.nests.empty()) {
    const Result<std::string> text = ReadFile(settings.nests);
    if (!text) return "ROOFMARK_NESTS: " + text.error();
    Result<NestPlan> plan = NestPlanFromJson(*text, settings.nests);
    if (!plan) return "ROOFMARK_NESTS: " + plan.error();
    plan_ = std::move(*plan);
    is_empty_ = plan_.nests.empty();
    return is_empty_ ? "" : Follow(engine, "ROOFMARK_NESTS");
  }
  if (settings.functions.empty()) return "";
  const Result<FunctionChoice> choice = FunctionChoice::Parse(settings.functions);
  if (!choice) return "ROOFMARK_FUNCTIONS: " + choice.error();
  FunctionPlan made = PlanFunctions(*choice, LoadedFiles());
  plan_ = std::move(made.plan);
  notes_ = std::move(made.notes);
  return plan_.nests.empty() ? "" : Follow(engine, "ROOFMARK_FUNCTIONS");
}

std::string FoundPaths::Follow(Engine& engine, const std::string& of) {
  Capability<Nests> nests = engine.GetNests();
  if (!nests) {
    return fmt::format("{}: the engine {} has no nests: {}", of, engine.Name(), nests.error());
  }
  if (!(*nests)->Set(plan_)) {
    return fmt::format("{}: the engine {} cannot follow its loops and functions", of,
                       engine.Name());
  }
  nests_ = *nests;
  return "";
}

void FoundPaths::Define(HarvestSink& sink) {
  if (nests_ == nullptr) return;
  const NestPaths made = nests_->Paths();
  lost_ = made.lost;
  paths_.clear();
  names_.clear();
  for (const NestPath& path : made.paths) {
    const PlannedNest& nest = plan_.nests[path.nest];
    const uint32_t defined =
        sink.DefinePath(PathOf(path.parent), {nest.name, nest.file, nest.line});
    paths_[path.path] = defined;
    names_[path.path] = sink.FullName(defined);
  }
}

uint32_t FoundPaths::PathOf(uint32_t path) const {
  const auto found = paths_.find(path);
  return found == paths_.end() ? path : found->second;
}

}  // namespace roofmark::counting
