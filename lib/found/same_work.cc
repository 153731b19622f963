// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/same_work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "lib/found/changed_code.h"
#include "lib/found/same_calls.h"
#include "lib/profile/match_visits.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// A smaller part of the work of a region does not make its counts doubtful.
constexpr double kLittle = 0.05;
// What runs until a time is over does several times as much where no engine slows it down.
constexpr double kLeastUntilATime = 1.5;

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

// Calls take(path, part, module) for each part that was executed as work.
template <typename Take>
void EachPartOfWork(std::span<const RankWork> ranks, Take take) {
  for (const RankWork& rank : ranks) {
    for (const ExecutedModule& module : rank.executed->modules) {
      for (const ExecutedPart& part : module.parts) {
        if (part.layer == Layer::kWork) take(rank.executed->paths[part.path], part, module);
      }
    }
  }
}

std::map<std::string, double> ExecutedBytes(std::span<const RankWork> ranks) {
  std::map<std::string, double> bytes;
  EachPartOfWork(ranks, [&](const std::string& path, const ExecutedPart& part, const auto&) {
    bytes[path] += static_cast<double>(part.times) * part.bytes;
  });
  return bytes;
}

// Of what each path executed: what two executions under the engine did not execute equally often.
std::map<std::string, double> DifferingBytes(std::span<const RankWork> ranks,
                                             const Executed& before) {
  std::vector<const Executed*> after;
  for (const RankWork& rank : ranks) after.push_back(rank.executed);
  const ChangedCode changed(before, after);
  std::map<std::string, double> bytes;
  EachPartOfWork(
      ranks, [&](const std::string& path, const ExecutedPart& part, const ExecutedModule& module) {
        bytes[path] += static_cast<double>(part.times) *
                       changed.DifferingBytes(module.file, part.begin, part.bytes);
      });
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
  return answer == Answer::kDiffers && IsMuchUnknown(path);
}

bool SameWork::IsOutsideDoubtful() const {
  return answer == Answer::kDiffers && IsMuchUnknownOutside();
}

bool SameWork::IsMuchUnknown(const std::string& path) const {
  double all = 0, of_unknown = 0;
  for (const auto& [name, bytes] : executed) {
    if (!IsInside(name, path)) continue;
    all += bytes;
    const auto part = unknown.find(name);
    if (part != unknown.end()) of_unknown += part->second;
  }
  return of_unknown > kLittle * all;
}

bool SameWork::IsMuchUnknownOutside() const {
  const auto all = executed.find(""), part = unknown.find("");
  return all != executed.end() && part != unknown.end() && part->second > kLittle * all->second;
}

SameWork CompareWork(std::span<const RankWork> ranks, std::span<const ChosenPlace> chosen,
                     const Executed& before) {
  using enum SameWork::Answer;
  SameWork work;
  std::vector<Compared> places = CompareAll(ranks);
  work.places = places.size();
  work.executed = ExecutedBytes(ranks);
  if (places.empty()) {
    work.why_unknown = WhyNotCounted(ranks);
    work.unknown = DifferingBytes(ranks, before);
    const bool differs =
        work.IsMuchUnknownOutside() ||
        std::any_of(work.executed.begin(), work.executed.end(),
                    [&](const auto& path) { return work.IsMuchUnknown(path.first); });
    if (differs) work.answer = kDiffers;
    if (!differs) work.calls = CountSameCalls(ranks, before);
    if (work.calls > 0) work.answer = kSame;
    return work;
  }
  const bool differs = std::any_of(places.begin(), places.end(), [](const Compared& place) {
    return place.timed != place.counted;
  });
  work.answer = differs ? kDiffers : kSame;
  if (!differs) return work;
  for (Compared& place : places) {
    for (const ChosenPlace& one : chosen) {
      if (one.place == place.place) AddPathsOf(one.region, ranks, place);
    }
  }
  work.differs_little = std::all_of(places.begin(), places.end(), [](const Compared& place) {
    const auto [less, more] = std::minmax(place.timed, place.counted);
    return more < kLeastUntilATime * less;
  });
  work.ratios = RatiosOf(std::move(places));
  work.unknown = work.differs_little ? DifferingBytes(ranks, before) : work.executed;
  std::erase_if(work.unknown,
                [&work](const auto& path) { return IsKnown(path.first, work.ratios); });
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
  if (work.IsOutsideDoubtful()) Drop(static_cast<size_t>(WholeRow::kOutside), job.whole);
}

}  // namespace roofmark
