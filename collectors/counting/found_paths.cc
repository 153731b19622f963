// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/found_paths.h"

#include <fmt/format.h>

#include "lib/core/file.h"
#include "lib/found/found_json.h"

namespace roofmark::counting {

std::string FoundPaths::Start(Engine& engine, const std::string& file) {
  const Result<std::string> text = ReadFile(file);
  if (!text) return text.error();
  Result<NestPlan> plan = NestPlanFromJson(*text, file);
  if (!plan) return plan.error();
  Capability<Nests> nests = engine.GetNests();
  if (!nests) return fmt::format("the engine {} has no nests: {}", engine.Name(), nests.error());
  if (!(*nests)->Set(*plan)) {
    return fmt::format("the engine {} cannot follow the nests of {}", engine.Name(), file);
  }
  plan_ = std::move(*plan);
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
