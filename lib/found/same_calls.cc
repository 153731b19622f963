// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/same_calls.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lib/found/parts_at.h"

namespace roofmark {
namespace {

// Of a rank, at the place that calls most. What begins and ends a job calls a few times.
constexpr uint64_t kLeastCalls = 10;

struct Calls {
  uint64_t timed = 0, counted = 0, before = 0;
};

// How often the instruction was executed as work of the program; nothing where it was not, or where
// MPI and runtimes execute it as well.
std::optional<uint64_t> WorkAt(const PartsByFile& executed, const CodePlace& place) {
  const PartsAt* parts = executed.Find(place.file);
  if (parts == nullptr) return std::nullopt;
  const PartsAt::Times times = parts->TimesAt(place.offset);
  return times.work > 0 && times.work == times.all ? std::optional(times.work) : std::nullopt;
}

// Fortran's calls come from a library of MPI, which the program calls.
const CodePlace* PlaceInTheProgram(const TimedCalls& calls, const PartsByFile& executed) {
  const auto place =
      std::find_if(calls.frames.begin(), calls.frames.end(),
                   [&](const CodePlace& frame) { return WorkAt(executed, frame).has_value(); });
  return place == calls.frames.end() ? nullptr : &*place;
}

}  // namespace

size_t CountSameCalls(std::span<const RankWork> ranks, const Executed& before) {
  const PartsByFile all_before(before);
  std::map<std::pair<std::string, uint64_t>, Calls> places;
  for (const RankWork& rank : ranks) {
    const PartsByFile executed(*rank.executed);
    std::map<std::pair<std::string, uint64_t>, uint64_t> timed;
    for (const TimedCalls& calls : rank.samples->processes.front().mpi_calls) {
      const CodePlace* place = PlaceInTheProgram(calls, executed);
      if (place != nullptr) timed[{place->file, place->offset}] += calls.calls;
    }
    for (const auto& [place, times] : timed) {
      Calls& calls = places[place];
      calls.timed += times;
      calls.counted += WorkAt(executed, {place.first, place.second}).value_or(0);
      calls.before = WorkAt(all_before, {place.first, place.second}).value_or(0);
    }
  }
  std::erase_if(places, [](const auto& each) { return each.second.counted != each.second.before; });
  uint64_t most = 0;
  for (const auto& [place, calls] : places) {
    if (calls.timed != calls.counted) return 0;
    most = std::max(most, calls.timed);
  }
  return most >= kLeastCalls * ranks.size() ? places.size() : 0;
}

}  // namespace roofmark
