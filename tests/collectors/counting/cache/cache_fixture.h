// SPDX-License-Identifier: BSD-3-Clause
//
// The simulator with memory, contexts and a record buffer, as tests and benchmarks use it.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_FIXTURE_H_

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectors/counting/cache/cache_sim.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {

inline roof_geometry Geometry(const std::string& text) {
  roof_geometry geometry{};
  char error[ROOF_GEOMETRY_ERROR];
  if (!roof_geometry_parse(text.c_str(), &geometry, error, sizeof error)) {
    throw std::invalid_argument(error);
  }
  return geometry;
}

struct CacheOptions {
  uint32_t line_sampling = 1;
  uint32_t three_cs = 0;
  uint32_t contexts = 1;
};

class Cache {
 public:
  Cache(const std::string& geometry, const CacheOptions& options = {})
      : counters_(options.contexts) {
    roof_cache_config config{Geometry(geometry), options.line_sampling, options.three_cs,
                             memory_.Hooks()};
    cache_ = roof_cache_create(&config);
    if (!cache_) throw std::invalid_argument("roof_cache_create");
    for (auto& context : counters_) table_.push_back(context.data());
    roof_cache_set_contexts(cache_, table_.data(), options.contexts);
    core_ = roof_cache_core_begin(cache_);
  }
  ~Cache() { roof_cache_destroy(cache_); }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Buffers an access of the first core in the current context.
  void Access(roof_access kind, uint64_t address, uint64_t size = 8) {
    records_.push_back(address | ROOF_RECORD_TAG(kind, size));
    if (records_.size() == 1024) Flush();
  }
  void Load(uint64_t address, uint64_t size = 8) { Access(ROOF_LOAD, address, size); }
  void Store(uint64_t address, uint64_t size = 8) { Access(ROOF_STORE, address, size); }
  void NtStore(uint64_t address, uint64_t size = 8) { Access(ROOF_NT_STORE, address, size); }
  void Flush() {
    roof_cache_run(cache_, core_, context_, records_.data(), records_.size());
    records_.clear();
  }
  void Enter(uint32_t context) {
    Flush();
    context_ = context;
  }

  // Counter of a context, after all buffered accesses.
  uint64_t Count(int counter, uint32_t context = 0) {
    Flush();
    return counters_[context][counter];
  }
  // All DRAM traffic of a context, lines still dirty included.
  uint64_t DramBytes(uint32_t context = 0) {
    Flush();
    roof_cache_count_dirty(cache_);
    return Count(ROOF_C_DRAM_READ_BYTES, context) + Count(ROOF_C_DRAM_WRITE_BYTES, context) +
           Count(ROOF_C_DRAM_DIRTY_BYTES, context);
  }
  void Reset() {
    Flush();
    for (auto& context : counters_) context.fill(0);
  }

  roof_cache* get() const { return cache_; }
  roof_cache_core* core() { return core_; }
  Memory& memory() { return memory_; }
  const std::vector<std::array<uint64_t, ROOF_COUNTERS>>& counters() const { return counters_; }

 private:
  Memory memory_;
  std::vector<std::array<uint64_t, ROOF_COUNTERS>> counters_;
  std::vector<uint64_t*> table_;
  roof_cache* cache_ = nullptr;
  roof_cache_core* core_ = nullptr;
  uint32_t context_ = 0;
  std::vector<uint64_t> records_;
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_CACHE_CACHE_FIXTURE_H_
