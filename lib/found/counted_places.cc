// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/counted_places.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofmark {
namespace {

constexpr size_t kRegisters = 4;
// Of a rank, under the counting engine. Without it a program that runs until a time is over may
// execute it thirty times as often, at some microseconds each: half a second.
constexpr uint64_t kMostTimes = 5000;

template <typename Module>
const Module* Find(std::span<const Module> modules, const std::string& file) {
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&file](const Module& each) { return each.file == file; });
  return found == modules.end() ? nullptr : &*found;
}

// How often the loader and the allocator take their rare ways depends on the environment.
bool IsOfTheSystem(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  constexpr std::string_view kNames[] = {"libc.so", "libc-", "ld-", "ld.so", "libpthread", "["};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [name](std::string_view known) { return name.starts_with(known); });
}

// Parts that were executed inside MPI, or in an OpenMP runtime: how often depends on how long a
// thread waits.
class Waiting {
 public:
  explicit Waiting(const ExecutedModule& module) {
    for (const ExecutedPart& part : module.parts) {
      if (part.layer == Layer::kWork) continue;
      parts_.push_back({part.begin, part.begin + part.bytes});
      longest_ = std::max<uint64_t>(longest_, part.bytes);
    }
    std::sort(parts_.begin(), parts_.end());
  }
  bool Has(uint64_t offset) const {
    auto part = std::upper_bound(parts_.begin(), parts_.end(), std::pair(offset, UINT64_MAX));
    while (part != parts_.begin() && std::prev(part)->first + longest_ > offset) {
      if ((--part)->second > offset) return true;
    }
    return false;
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> parts_;
  uint64_t longest_ = 0;
};

// A block of one instruction may be one that moves or compares strings: a single one for a
// processor, however long the string is, and many for an engine.
bool MayRepeatItself(const ExecutedBlock& block) { return block.instructions < 2; }

// Without what says nothing about how much the program did.
Executed OfTheProgram(const Executed& executed) {
  Executed rest;
  for (const ExecutedModule& module : executed.modules) {
    if (IsOfTheSystem(module.file)) continue;
    const Waiting waiting(module);
    ExecutedModule& kept = rest.modules.emplace_back(ExecutedModule{module.file, {}, {}, {}});
    for (const ExecutedBlock& block : module.blocks) {
      const bool tells = !waiting.Has(block.begin) && !MayRepeatItself(block);
      if (tells) kept.blocks.push_back(block);
    }
  }
  return rest;
}

struct Candidate {
  std::string region;
  std::optional<CodePlace> place;  // nothing: all of its code is executed too often
  uint64_t times = 0;              // of all ranks
  double own = 0;                  // samples
  double with_calls = 0;
};

// All blocks that have the instruction in them.
uint64_t TimesAt(const ExecutedModule& module, uint64_t offset) {
  uint64_t times = 0;
  for (const ExecutedBlock& block : module.blocks) {
    if (block.begin > offset) break;
    if (offset - block.begin < block.bytes) times += block.times;
  }
  return times;
}

// The place of the range that is executed most often, but not too often.
void TakePlace(const PlannedRange& range, const ExecutedModule& module, uint64_t most_times,
               Candidate& candidate) {
  auto block = std::lower_bound(
      module.blocks.begin(), module.blocks.end(), range.begin,
      [](const ExecutedBlock& each, uint64_t offset) { return each.begin < offset; });
  for (; block != module.blocks.end() && block->begin < range.end; ++block) {
    if (block->times == 0 || block->times > most_times || block->times <= candidate.times) continue;
    const uint64_t times = TimesAt(module, block->begin);
    if (times > most_times || times <= candidate.times) continue;
    candidate.times = times;
    candidate.place = CodePlace{module.file, block->begin};
  }
}

// Of nests without a place: code of the same function that is in no nest and lies before them, or
// behind them.
void TakePlacesBeside(const NestPlan& plan, const Executed& executed, uint64_t most_times,
                      std::vector<Candidate>& candidates) {
  const std::vector<PlannedRange>& ranges = plan.ranges;
  for (size_t r = 0; r < ranges.size(); ++r) {
    if (!ranges[r].nest || candidates[RegionOf(plan, *ranges[r].nest)].place) continue;
    const auto* code = Find<ExecutedModule>(executed.modules, plan.modules[ranges[r].module]);
    if (code == nullptr) continue;
    const auto touch = [&ranges](size_t before, size_t after) {
      return ranges[before].module == ranges[after].module &&
             ranges[before].end == ranges[after].begin;
    };
    Candidate& candidate = candidates[RegionOf(plan, *ranges[r].nest)];
    for (size_t at = r; at > 0 && touch(at - 1, at) && !candidate.place; --at) {
      if (!ranges[at - 1].nest) TakePlace(ranges[at - 1], *code, most_times, candidate);
    }
    for (size_t at = r; at + 1 < ranges.size() && touch(at, at + 1) && !candidate.place; ++at) {
      if (!ranges[at + 1].nest) TakePlace(ranges[at + 1], *code, most_times, candidate);
    }
  }
}

double SamplesIn(const PlannedRange& range, const SampledModule& module) {
  double samples = 0;
  for (const SampledPlace& place : module.places) {
    const bool inside = place.offset >= range.begin && place.offset < range.end;
    if (inside) samples += static_cast<double>(place.samples);
  }
  return samples;
}

// By nest.
std::vector<Candidate> CandidatesOf(const NestPlan& plan, std::span<const double> with_calls,
                                    std::span<const SampledModule> samples,
                                    const Executed& executed, uint64_t most_times) {
  std::vector<Candidate> candidates(plan.nests.size());
  for (size_t n = 0; n < candidates.size() && n < with_calls.size(); ++n) {
    candidates[n].with_calls = with_calls[n];
    candidates[n].region = plan.nests[n].name;
  }
  for (const PlannedRange& range : plan.ranges) {
    if (!range.nest) continue;
    const std::string& file = plan.modules[range.module];
    Candidate& candidate = candidates[RegionOf(plan, *range.nest)];
    const auto* code = Find<ExecutedModule>(executed.modules, file);
    if (code != nullptr) TakePlace(range, *code, most_times, candidate);
    const auto* sampled = Find<SampledModule>(samples, file);
    if (sampled != nullptr) candidate.own += SamplesIn(range, *sampled);
  }
  TakePlacesBeside(plan, executed, most_times, candidates);
  for (size_t n = candidates.size(); n-- > 0;) {
    if (candidates[n].place || !plan.nests[n].around) continue;
    candidates[*plan.nests[n].around].own += candidates[n].own;
  }
  return candidates;
}

// Takes the candidate with most of something out of the list.
std::optional<ChosenPlace> TakeBest(std::vector<Candidate>& candidates, uint64_t least_times,
                                    double Candidate::*something) {
  Candidate* best = nullptr;
  for (Candidate& each : candidates) {
    if (!each.place || each.times < least_times || each.*something <= 0) continue;
    if (best == nullptr || each.*something > best->*something) best = &each;
  }
  if (best == nullptr) return std::nullopt;
  ChosenPlace chosen = {*best->place, best->region};
  best->place.reset();
  return chosen;
}

}  // namespace

std::vector<ChosenPlace> ChoosePlaces(const NestPlan& plan, std::span<const double> with_calls,
                                      std::span<const SampledModule> samples,
                                      const Executed& executed, uint32_t ranks) {
  std::vector<Candidate> candidates =
      CandidatesOf(plan, with_calls, samples, OfTheProgram(executed), kMostTimes * ranks);
  std::vector<ChosenPlace> places;
  const uint64_t more_than_once = 2 * uint64_t{ranks};
  if (auto place = TakeBest(candidates, more_than_once, &Candidate::with_calls)) {
    places.push_back(*place);
  }
  while (places.size() < kRegisters) {
    auto place = TakeBest(candidates, 1, &Candidate::own);
    if (!place) place = TakeBest(candidates, more_than_once, &Candidate::with_calls);
    if (!place) break;
    places.push_back(std::move(*place));
  }
  return places;
}

}  // namespace roofmark
