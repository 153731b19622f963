// SPDX-License-Identifier: BSD-3-Clause
//
// A thread's visits that take turns, with a clock that the test moves: what the recorder would make
// of them.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_PLAYED_TURNS_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_PLAYED_TURNS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/fold/fold.h"
#include "markers/turns.h"

namespace roofmark::runtime {

class PlayedTurns {
 public:
  PlayedTurns() {
    input.nodes.emplace_back();
    input.names.emplace_back();
    input.threads.emplace_back(1);
  }

  uint32_t AddPath(std::string name, uint32_t parent = 0) {
    input.nodes.emplace_back();
    input.nodes.back().parent = parent;
    input.names.push_back(std::move(name));
    for (auto& thread : input.threads) thread.emplace_back();
    return static_cast<uint32_t>(input.nodes.size() - 1);
  }
  void Begin(uint32_t path) {
    const uint64_t number = Main(path).visits++;
    open_.push_back({path, turns.Begin({path, number, true, true, true}), now_});
  }
  // So many ticks where the visit is not counted, and `percent` more where it is.
  void Work(uint64_t ticks, uint64_t percent = 300) {
    now_ += ticks + (open_.back().turn.counted ? ticks * percent / 100 : 0);
  }
  void End() {
    const Visit visit = open_.back();
    open_.pop_back();
    const uint64_t ticks = now_ - visit.since;
    turns.End(visit.path, visit.turn, ticks);
    if (!visit.turn.timed) return;
    ++Main(visit.path).measured;
    Main(visit.path).ticks += ticks;
  }
  // A whole one.
  void Pass(uint32_t path, uint64_t ticks, uint64_t percent = 300) {
    Begin(path);
    Work(ticks, percent);
    End();
  }
  ThreadPathTotals& Main(uint32_t path) { return input.threads[0][path]; }

  markers::Turns turns;
  FoldInput input;

 private:
  struct Visit {
    uint32_t path;
    markers::Turn turn;
    uint64_t since;
  };
  uint64_t now_ = 1'000'000;
  std::vector<Visit> open_;
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_PLAYED_TURNS_H_
