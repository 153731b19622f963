// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/same_work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "lib/profile/match_visits.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// Of all ranks.
struct Compared {
  CodePlace place;
  double timed = 0, counted = 0;  // executions
  bool known = true;              // in every rank
  std::set<std::string> paths;    // that executed it; "" is one
  std::set<std::string> regions;  // paths of the region that it stands for

  // How often each of several paths executed it when that was timed nobody knows, unless all
  // executed it as often as when that was counted.
  bool TellsPathsApart() const {
    return timed == counted || (paths.size() <= 1 && regions.size() <= 1);
  }
};

void AddExecutions(const Executed& executed, Compared& compared) {
  for (const ExecutedModule& module : executed.modules) {
    if (module.file != compared.place.file) continue;
    for (const ExecutedPart& part : module.parts) {
      const bool inside =
          part.begin <= compared.place.offset && compared.place.offset - part.begin < part.bytes;
      if (!inside) continue;
      // Waiting is no work.
      if (part.layer != Layer::kWork) compared.known = false;
      compared.counted += static_cast<double>(part.times);
      compared.paths.insert(executed.paths[part.path]);
    }
  }
}

std::vector<Compared> CompareAll(std::span<const RankWork> ranks) {
  std::vector<Compared> all;
  for (const RankWork& rank : ranks) {
    const std::vector<CountedPlace>& counted = rank.samples->processes.front().counted;
    for (const CountedPlace& one : counted) {
      auto at = std::find_if(all.begin(), all.end(),
                             [&one](const Compared& each) { return each.place == one.place; });
      if (at == all.end()) at = all.insert(at, Compared{one.place, 0, 0, true, {}, {}});
      at->known = at->known && one.times.has_value();
      at->timed += static_cast<double>(one.times.value_or(0));
      AddExecutions(*rank.executed, *at);
    }
  }
  std::erase_if(all, [](const Compared& each) { return !each.known || each.counted == 0; });
  return all;
}

std::string WhyNotCounted(std::span<const RankWork> ranks) {
  for (const RankWork& rank : ranks) {
    const std::string& why = rank.samples->processes.front().why_not_counted;
    if (!why.empty()) return why;
  }
  return "no place in its code is executed rarely enough to be counted";
}

// Executed bytes by block.
using Blocks = std::map<std::tuple<std::string, uint64_t, uint32_t>, double>;

void AddBlocks(const Executed& executed, double factor, Blocks& blocks) {
  for (const ExecutedModule& module : executed.modules) {
    for (const ExecutedBlock& block : module.blocks) {
      blocks[{module.file, block.begin, block.bytes}] +=
          factor * static_cast<double>(block.times) * block.bytes;
    }
  }
}

// Threads that take turns need not execute quite as much.
bool EngineDiffers(std::span<const RankWork> ranks, const Executed& before) {
  constexpr double kMuch = 0.005;
  Blocks differences, all;
  AddBlocks(before, -1, differences);
  AddBlocks(before, 1, all);
  for (const RankWork& rank : ranks) AddBlocks(*rank.executed, 1, differences);
  double differs = 0, sum = 0;
  for (const auto& [block, bytes] : differences) differs += std::abs(bytes);
  for (const auto& [block, bytes] : all) sum += bytes;
  return differs > kMuch * sum;
}

std::map<std::string, double> ExecutedBytes(std::span<const RankWork> ranks) {
  std::map<std::string, double> bytes;
  for (const RankWork& rank : ranks) {
    for (const ExecutedModule& module : rank.executed->modules) {
      for (const ExecutedPart& part : module.parts) {
        if (part.layer != Layer::kWork) continue;
        bytes[rank.executed->paths[part.path]] += static_cast<double>(part.times) * part.bytes;
      }
    }
  }
  return bytes;
}

// The paths of a region.
void AddPathsOf(const std::string& region, std::span<const RankWork> ranks, Compared& compared) {
  const std::string name = RegionName(region);
  for (const RankWork& rank : ranks) {
    for (const std::string& path : rank.executed->paths) {
      if (!path.empty() && LeafName(path) == name) compared.regions.insert(path);
    }
  }
}

// Of several places in a path the one that was executed most often tells most.
FoundRatios RatiosOf(std::vector<Compared> places) {
  std::sort(places.begin(), places.end(),
            [](const Compared& a, const Compared& b) { return a.counted > b.counted; });
  FoundRatios ratios;
  for (const Compared& place : places) {
    if (!place.TellsPathsApart()) continue;
    for (const auto* paths : {&place.paths, &place.regions}) {
      for (const std::string& path : *paths) {
        if (path.empty()) continue;
        ratios.emplace(path, FoundRatio{place.timed / place.counted, place.counted});
      }
    }
  }
  return ratios;
}

bool IsInside(std::string_view path, std::string_view around) {
  return around.empty() || path == around ||
         (path.starts_with(around) && path[around.size()] == '/');
}

// That something around it was executed equally often does not tell how often this was.
bool IsKnown(std::string_view path, const FoundRatios& ratios) {
  if (ratios.contains(std::string(path))) return true;
  for (path = ParentPath(path); !path.empty(); path = ParentPath(path)) {
    const auto around = ratios.find(std::string(path));
    if (around != ratios.end()) return around->second.ratio != 1;
  }
  return false;
}

void Drop(size_t row, CellTable& cells) {
  for (MetricId id = 0; id < kMetrics; ++id) {
    const bool counted = GrowsWithVisits(id) && std::as_const(cells).At(row, id).ranks > 0;
    if (counted) cells.At(row, id).status_bits |= Bit(Status::kInvalid);
  }
}

}  // namespace

bool SameWork::IsDoubtful(const std::string& path) const {
  constexpr double kLittle = 0.05;
  if (answer != Answer::kDiffers) return false;
  double all = 0, unknown = 0;
  for (const auto& [name, bytes] : executed) {
    if (!IsInside(name, path)) continue;
    all += bytes;
    if (!IsKnown(name, ratios)) unknown += bytes;
  }
  return unknown > kLittle * all;
}

SameWork CompareWork(std::span<const RankWork> ranks, std::span<const ChosenPlace> chosen,
                     const Executed& before) {
  SameWork work;
  std::vector<Compared> places = CompareAll(ranks);
  work.places = places.size();
  bool differs = false;
  if (places.empty()) {
    work.why_unknown = WhyNotCounted(ranks);
    differs = EngineDiffers(ranks, before);
    if (!differs) return work;
  }
  for (const Compared& place : places) differs = differs || place.timed != place.counted;
  work.answer = differs ? SameWork::Answer::kDiffers : SameWork::Answer::kSame;
  if (!differs) return work;
  for (Compared& place : places) {
    for (const ChosenPlace& one : chosen) {
      if (one.place == place.place) AddPathsOf(one.region, ranks, place);
    }
  }
  work.executed = ExecutedBytes(ranks);
  work.ratios = RatiosOf(std::move(places));
  return work;
}

void DropDoubtfulCounts(const SameWork& work, JobProfile& job) {
  if (work.answer != SameWork::Answer::kDiffers) return;
  for (size_t row = 0; row < job.paths.size(); ++row) {
    const bool found = job.paths[row].kind == RegionKind::kFound;
    if (!found || !work.IsDoubtful(job.paths[row].path)) continue;
    Drop(row, job.cells);
    job.At(row, metric::kVisits).status_bits |= Bit(Status::kInvalid);
    if (job.spreads.empty()) continue;
    for (const Drawn measure : {Drawn::kFlops, Drawn::kDramBytes}) {
      job.spreads[row * kSpreads + static_cast<size_t>(measure)] = {};
    }
  }
  if (job.whole.empty()) return;
  if (work.IsDoubtful("")) Drop(static_cast<size_t>(WholeRow::kProgram), job.whole);
  Drop(static_cast<size_t>(WholeRow::kOutside), job.whole);
}

}  // namespace roofmark
