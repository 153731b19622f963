// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/found_words.h"

#include <algorithm>
#include <optional>

#include "lib/core/found_name.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

// Columns; fewer of them say nothing.
constexpr size_t kLeastFunction = 6, kLeastAround = 8;

}  // namespace

std::string ShortPlace(std::string_view name, size_t width, std::string_view mark) {
  const std::optional<LoopName> loop = LoopName::Of(name);
  if (DisplayWidth(name) <= width || !loop) return Shorten(name, width, mark);
  const size_t fixed = DisplayWidth(loop->place) + LoopName::kIn.size();
  if (fixed + kLeastFunction > width) return Shorten(loop->place, width, mark);
  return std::string(loop->place)
      .append(LoopName::kIn)
      .append(Shorten(loop->function, width - fixed, mark));
}

std::string_view FoundFact(const RunInfo& run) {
  for (const PassInfo& pass : run.passes) {
    const auto fact = pass.facts.find(kFoundFact);
    if (fact != pass.facts.end()) return fact->second;
  }
  return {};
}

bool OutermostAreFound(const JobProfile& job) {
  return !job.paths.empty() &&
         std::all_of(job.paths.begin(), job.paths.end(), [](const PathInfo& info) {
           return info.kind == RegionKind::kFound || PathDepth(info.path) > 0;
         });
}

std::string ShortName(const Row& row, size_t width, std::string_view mark) {
  if (!row.is_found || DisplayWidth(row.name) <= width) return Shorten(row.name, width, mark);
  const std::string_view name = row.name, around = name.substr(0, row.around_bytes);
  const std::string_view own = name.substr(row.around_bytes);
  const size_t own_width = DisplayWidth(own);
  if (own_width + kLeastAround + 1 > width) return ShortPlace(own, width, mark);
  return ShortPlace(around.substr(0, around.size() - 1), width - own_width - 1, mark) + "/" +
         std::string(own);
}

}  // namespace roofmark
