// SPDX-License-Identifier: BSD-3-Clause
#include "markers/turns.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

#include "lib/counts/strata.h"

namespace roofmark::markers {
namespace {

Turn Decide(uint64_t visit, bool at_once) noexcept {
  const uint64_t pair = counts::PairOfVisit(visit);
  Turn turn = {1, 1, 1, 0, static_cast<uint8_t>(counts::StratumOf(pair) & 7)};
  if (at_once && pair % counts::kComparedPairs != 0) return turn;
  turn.counted = counts::IsCountedInTurn(visit) ? 1 : 0;
  turn.timed = turn.counted ? 0 : 1;
  return turn;
}

void Raise(std::atomic<uint64_t>& sum, uint64_t by) {
  sum.fetch_add(by, std::memory_order_relaxed);
}

}  // namespace

VisitsAfterFirst TimedAfterFirst(const PathTurns& of) {
  return {std::accumulate(of.timed.begin(), of.timed.end(), uint64_t{0}),
          std::accumulate(of.timed_ticks.begin(), of.timed_ticks.end(), uint64_t{0})};
}

std::optional<uint64_t> FirstTicks(const PathTurns& of, uint64_t timed, uint64_t ticks) {
  const VisitsAfterFirst others = TimedAfterFirst(of);
  if (others.ticks == 0 || timed != others.visits + 1 || ticks < others.ticks) return std::nullopt;
  return ticks - others.ticks;
}

std::optional<double> MarginOfTicks(const PathTurns& of, uint64_t rest) {
  constexpr uint64_t kLeast = 4;
  if (TimedAfterFirst(of).visits < kLeast) return std::nullopt;
  std::array<counts::Stratum, counts::kStrata> strata{};
  for (size_t s = 0; s < strata.size(); ++s) {
    strata[s] = {static_cast<double>(of.timed_ticks[s]), static_cast<double>(of.timed[s])};
  }
  return counts::Margin(strata, static_cast<double>(rest));
}

void Turns::Start(const VisitPolicy& visits, const Collector* collector) {
  on_ =
      visits.kind == VisitPolicy::Kind::kInTurns && collector != nullptr && collector->TakesTurns();
}

Turns::Known* Turns::Find(uint32_t path) const noexcept {
  if (path >= kChunk * kChunks) return nullptr;
  Chunk* chunk = chunks_[path / kChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk->paths[path % kChunk];
}

Turns::Known* Turns::FindOrMake(uint32_t path) noexcept {
  if (Known* known = Find(path)) return known;
  if (path >= kChunk * kChunks) return nullptr;
  std::unique_ptr<Chunk> made(new (std::nothrow) Chunk);
  Chunk* none = nullptr;
  if (made && chunks_[path / kChunk].compare_exchange_strong(none, made.get())) {
    static_cast<void>(made.release());  // markers run until the last destructor
  }
  return Find(path);
}

Turn Turns::Begin(const Visit& visit) noexcept {
  Turn turn = in_force_.load(std::memory_order_relaxed);
  if (!turn.open || !visit.main) return turn.Inside();
  turn.decided = turn.counted = 0;
  if (!visit.team) return turn.Inside();
  const Known* known = FindOrMake(visit.path);
  if (known == nullptr || !visit.outermost || visit.number == 0) {
    ++open_;
    return turn;
  }
  turn = Decide(visit.number, known->at_once.load(std::memory_order_relaxed));
  decided_visit_ = visit.number;
  if (turn.counted) stratum_ = turn.stratum;
  in_force_.store(turn, std::memory_order_relaxed);
  return turn;
}

void Turns::Compare(Known& known, Turn turn, uint64_t ticks) const noexcept {
  const uint64_t pair = counts::PairOfVisit(decided_visit_);
  if (known.half_pair != pair) {
    known.half_pair = pair;
    known.half_ticks = ticks;
    return;
  }
  known.half_pair = UINT64_MAX;
  const auto one = static_cast<double>(known.half_ticks), other = static_cast<double>(ticks);
  known.times.Add(turn.counted ? one : other, turn.counted ? other : one);
  known.cost.store(known.times.Cost().value_or(0), std::memory_order_relaxed);
  known.pairs.store(known.times.pairs(), std::memory_order_release);
  known.at_once.store(known.times.CostsLittle(), std::memory_order_relaxed);
}

// Where several threads are here, whose times are not used, one may be lost.
void Turns::KeepExtremes(Known& known, uint64_t ticks) noexcept {
  if (ticks < known.least_ticks.load(std::memory_order_relaxed))
    known.least_ticks.store(ticks, std::memory_order_relaxed);
  const uint64_t longest = known.longest_ticks.load(std::memory_order_relaxed);
  if (ticks > longest) known.longest_ticks.store(ticks, std::memory_order_relaxed);
  const uint64_t shorter = std::min(ticks, longest);
  if (shorter > known.second_ticks.load(std::memory_order_relaxed))
    known.second_ticks.store(shorter, std::memory_order_relaxed);
}

void Turns::End(uint32_t path, Turn turn, uint64_t ticks) noexcept {
  if (turn.open) --open_;
  if (turn.decided) {
    const Turn open = {1, 1, 0, 1, static_cast<uint8_t>(stratum_ & 7)};
    in_force_.store(open, std::memory_order_relaxed);
  }
  Known* known = FindOrMake(path);
  if (known == nullptr) return;
  if (turn.counted) Raise(known->counted[turn.stratum], 1);
  if (turn.timed && !turn.open) {
    Raise(known->timed[turn.stratum], 1);
    Raise(known->timed_ticks[turn.stratum], ticks);
    KeepExtremes(*known, ticks);
  }
  if (!turn.timed) {
    Raise(known->untimed, 1);
    Raise(known->untimed_ticks, ticks);
  }
  if (!turn.decided || (turn.timed && turn.counted)) return;
  Compare(*known, turn, ticks);
  if (!turn.counted) return;
  Raise(known->alone, 1);
  Raise(known->alone_ticks, ticks);
  if (open_ == 0) return;
  Raise(known->alone_in_open, 1);
  Raise(known->alone_in_open_ticks, ticks);
}

void Turns::KeepFirst(uint32_t path, Turn turn, const spool::DeclaredWork& work) noexcept {
  Known* known = turn.open ? FindOrMake(path) : nullptr;
  if (known == nullptr || known->has_first.load(std::memory_order_relaxed)) return;
  const auto of = [](const std::atomic<uint64_t>& sum) {
    return sum.load(std::memory_order_relaxed);
  };
  known->first = {
      of(work.mpi_ticks),     of(work.parallel_ticks),
      of(work.team_ticks),    of(work.busy_ticks),
      of(work.busiest_ticks), {of(work.page_faults), of(work.system_ns), of(work.preemptions)}};
  known->has_first.store(true, std::memory_order_release);
}

PathTurns Turns::Of(uint32_t path) const noexcept {
  PathTurns turns;
  const Known* known = Find(path);
  if (known == nullptr) return turns;
  for (size_t s = 0; s < turns.counted.size(); ++s) {
    turns.counted[s] = known->counted[s].load(std::memory_order_relaxed);
    turns.timed[s] = known->timed[s].load(std::memory_order_relaxed);
    turns.timed_ticks[s] = known->timed_ticks[s].load(std::memory_order_relaxed);
  }
  turns.least_ticks = known->least_ticks.load(std::memory_order_relaxed);
  const uint64_t second = known->second_ticks.load(std::memory_order_relaxed);
  turns.most_ticks = second > 0 ? second : known->longest_ticks.load(std::memory_order_relaxed);
  turns.alone = known->alone.load(std::memory_order_relaxed);
  turns.alone_ticks = known->alone_ticks.load(std::memory_order_relaxed);
  turns.alone_in_open = known->alone_in_open.load(std::memory_order_relaxed);
  turns.alone_in_open_ticks = known->alone_in_open_ticks.load(std::memory_order_relaxed);
  turns.untimed = known->untimed.load(std::memory_order_relaxed);
  turns.untimed_ticks = known->untimed_ticks.load(std::memory_order_relaxed);
  if (known->pairs.load(std::memory_order_acquire) > 0) {
    turns.cost = known->cost.load(std::memory_order_relaxed);
  }
  turns.at_once = known->at_once.load(std::memory_order_relaxed);
  if (known->has_first.load(std::memory_order_acquire)) turns.first = known->first;
  return turns;
}

}  // namespace roofmark::markers
