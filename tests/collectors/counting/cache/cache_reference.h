// SPDX-License-Identifier: BSD-3-Clause
//
// An independent, deliberately naive cache hierarchy to hold the real one against: lists of lines
// in order of recency, one access after another, no batches, no packing, no prediction.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_REFERENCE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_REFERENCE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "collectors/counting/cache/cache_sim.h"

namespace roofmark {

using CounterTable = std::vector<std::array<uint64_t, ROOF_COUNTERS>>;

class ReferenceLevel {
 public:
  struct Line {
    uint64_t number;
    std::optional<uint32_t> writer;  // set: dirty
  };

  ReferenceLevel(int index, bool last, uint64_t size_bytes, uint32_t ways, ReferenceLevel* below,
                 CounterTable* counters)
      : index_(index),
        last_(last),
        ways_(ways),
        lines_(size_bytes / 64),
        sets_(lines_ / ways),
        below_(below),
        counters_(counters) {}

  // writer set: the line is dirtied by a store (L1) or by a write-back from above (whole_line).
  void Access(uint64_t number, std::optional<uint32_t> writer, bool whole_line, uint32_t context) {
    auto& set = sets_[number % sets_.size()];
    auto at = set.begin();
    while (at != set.end() && at->number != number) ++at;
    const bool hit = at != set.end();
    if (last_) Classify(number, !hit && !whole_line, context);
    Line line{number, writer};
    if (hit) {
      if (!writer) line.writer = at->writer;
      set.erase(at);
      set.push_front(line);
      return;
    }
    if (!whole_line) Fill(number, context);
    if (index_ == 0 && writer) (*counters_)[context][ROOF_C_STORE_FILL_BYTES] += 64;
    set.push_front(line);
    if (set.size() > ways_) {
      const Line victim = set.back();
      set.pop_back();
      if (victim.writer) WriteBack(victim, context);
    }
  }

  void ThrowOut(Line line) {
    auto& set = sets_[line.number % sets_.size()];
    for (auto at = set.begin(); at != set.end(); ++at) {
      if (at->number != line.number) continue;
      if (!line.writer) line.writer = at->writer;
      set.erase(at);
      break;
    }
    if (line.writer) Charge(*line.writer, true);
    if (last_) associative_.remove(line.number);
    if (below_) below_->ThrowOut(line);
  }

  void Flush(uint32_t context) {
    for (auto& set : sets_) {
      while (!set.empty()) {
        const Line line = set.back();
        set.pop_back();
        if (line.writer) WriteBack(line, context);
      }
    }
  }

  void CollectDirty(std::map<uint64_t, uint32_t>* dirty) const {
    for (const auto& set : sets_) {
      for (const Line& line : set) {
        if (line.writer) dirty->emplace(line.number, *line.writer);
      }
    }
  }

 private:
  void Charge(uint32_t context, bool write) {
    (*counters_)[context][ROOF_C_L1_READ_BYTES + 2 * index_ + (write ? 1 : 0)] += 64;
    if (last_)
      (*counters_)[context][write ? ROOF_C_DRAM_WRITE_BYTES : ROOF_C_DRAM_READ_BYTES] += 64;
  }
  void Fill(uint64_t number, uint32_t context) {
    Charge(context, false);
    if (below_) below_->Access(number, std::nullopt, false, context);
  }
  void WriteBack(const Line& line, uint32_t context) {
    Charge(*line.writer, true);
    if (below_) below_->Access(line.number, line.writer, true, context);
  }
  void Classify(uint64_t number, bool miss, uint32_t context) {
    bool had = false;
    for (auto at = associative_.begin(); at != associative_.end() && !had; ++at) {
      if (*at != number) continue;
      had = true;
      associative_.erase(at);
      break;
    }
    associative_.push_front(number);
    if (associative_.size() > lines_) associative_.pop_back();
    if (!miss) return;
    const int cause = touched_.insert(number).second ? ROOF_C_MISSES_COMPULSORY
                      : had                          ? ROOF_C_MISSES_CONFLICT
                                                     : ROOF_C_MISSES_CAPACITY;
    ++(*counters_)[context][cause];
  }

  int index_;
  bool last_;
  uint32_t ways_;
  uint64_t lines_;
  std::vector<std::list<Line>> sets_;
  ReferenceLevel* below_;
  CounterTable* counters_;
  std::list<uint64_t> associative_;
  std::set<uint64_t> touched_;
};

class ReferenceCache {
 public:
  ReferenceCache(const roof_geometry& geometry, int cores, uint32_t contexts)
      : counters(contexts), geometry_(geometry) {
    shared_ = Level(static_cast<int>(geometry.levels) - 1, nullptr);
    for (int core = 0; core < cores; ++core) {
      auto& levels = private_.emplace_back();
      ReferenceLevel* below = shared_.get();
      for (int index = static_cast<int>(geometry.levels) - 2; index >= 0; --index) {
        levels.insert(levels.begin(), Level(index, below));
        below = levels.front().get();
      }
    }
  }

  void Run(int core, uint32_t context, roof_access kind, uint64_t address, uint64_t size) {
    ReferenceLevel* top = private_[core].empty() ? shared_.get() : private_[core].front().get();
    for (uint64_t byte = address; byte < address + size; byte = (byte / 64 + 1) * 64) {
      if (kind == ROOF_NT_STORE) {
        const uint64_t bytes = std::min((byte / 64 + 1) * 64, address + size) - byte;
        counters[context][ROOF_C_DRAM_NT_BYTES] += bytes;
        counters[context][ROOF_C_DRAM_WRITE_BYTES] += bytes;
        top->ThrowOut({byte / 64, std::nullopt});
      } else {
        top->Access(byte / 64, kind == ROOF_STORE ? std::optional(context) : std::nullopt, false,
                    context);
      }
    }
  }

  void EndCore(int core) {
    for (auto& level : private_[core]) level->Flush(0);
  }

  // Of copies in several cores the one of the core created last counts, as in the simulator.
  void CountDirty() {
    std::map<uint64_t, uint32_t> dirty;
    const size_t depth = private_.front().size();
    for (size_t level = 0; level < depth; ++level) {
      for (size_t core = private_.size(); core-- > 0;) private_[core][level]->CollectDirty(&dirty);
    }
    shared_->CollectDirty(&dirty);
    for (auto& context : counters) context[ROOF_C_DRAM_DIRTY_BYTES] = 0;
    for (const auto& [line, writer] : dirty) counters[writer][ROOF_C_DRAM_DIRTY_BYTES] += 64;
  }

  CounterTable counters;

 private:
  std::unique_ptr<ReferenceLevel> Level(int index, ReferenceLevel* below) {
    return std::make_unique<ReferenceLevel>(index, index + 1 == static_cast<int>(geometry_.levels),
                                            geometry_.size_bytes[index], geometry_.ways[index],
                                            below, &counters);
  }

  roof_geometry geometry_;
  std::unique_ptr<ReferenceLevel> shared_;
  std::vector<std::vector<std::unique_ptr<ReferenceLevel>>> private_;
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_REFERENCE_H_
