// SPDX-License-Identifier: BSD-3-Clause
//
// What one simulated access costs, without the engine that records it. Columns: s_access per record
// handed over, s_line per line that a first-level miss asks for.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collectors/counting/cache/cache_sim.h"

namespace {

constexpr char kGeometry[] = "L1:48K:12,L2:2M:16,L3:32M:16";
constexpr size_t kBatch = 1024;  // records per call, as a tool would hand over

void* Map(void*, size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void Unmap(void*, void* memory, size_t bytes) { munmap(memory, bytes); }

// A simulator that replays one trace over and over.
class Replay {
 public:
  Replay(uint32_t line_sampling, uint32_t three_cs) {
    roof_cache_config config{};
    char error[ROOF_GEOMETRY_ERROR];
    roof_geometry_parse(kGeometry, &config.geometry, error, sizeof error);
    config.line_sampling = line_sampling;
    config.three_cs = three_cs;
    config.memory = {Map, Unmap, nullptr};
    cache_ = roof_cache_create(&config);
    roof_cache_set_contexts(cache_, &table_, 1);
    core_ = roof_cache_core_begin(cache_);
  }
  ~Replay() { roof_cache_destroy(cache_); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void Run(const std::vector<uint64_t>& trace) {
    for (size_t i = 0; i < trace.size(); i += kBatch) {
      roof_cache_run(cache_, core_, 0, trace.data() + i, std::min(kBatch, trace.size() - i));
    }
  }
  uint64_t Lines(uint32_t line_sampling) const {
    return counters_[ROOF_C_L1_READ_BYTES] / 64 / line_sampling;
  }

 private:
  std::array<uint64_t, ROOF_COUNTERS> counters_{};
  uint64_t* table_ = counters_.data();
  roof_cache* cache_;
  roof_cache_core* core_;
};

uint64_t Record(roof_access kind, uint64_t address, int size = 8) {
  return address | ROOF_RECORD_TAG(kind, size);
}

constexpr uint64_t kBase = UINT64_C(0x7f12'3450'0000);

// a[i] = b[i] + s * c[i] over arrays of equal page offset.
std::vector<uint64_t> Triad(uint64_t elements) {
  std::vector<uint64_t> trace;
  const uint64_t array = (elements * 8 + 0xfffff) & ~UINT64_C(0xfffff);
  for (uint64_t i = 0; i < elements; ++i) {
    trace.push_back(Record(ROOF_LOAD, kBase + array + 8 * i));
    trace.push_back(Record(ROOF_LOAD, kBase + 2 * array + 8 * i));
    trace.push_back(Record(ROOF_STORE, kBase + 8 * i));
  }
  return trace;
}

// One load per line.
std::vector<uint64_t> Lines(uint64_t lines) {
  std::vector<uint64_t> trace;
  for (uint64_t i = 0; i < lines; ++i) trace.push_back(Record(ROOF_LOAD, kBase + 64 * i));
  return trace;
}

// 7-point stencil, one sweep of n^3.
std::vector<uint64_t> Stencil(uint64_t n) {
  std::vector<uint64_t> trace;
  const uint64_t to = kBase + n * n * n * 8 + 4096;
  for (uint64_t z = 1; z + 1 < n; ++z) {
    for (uint64_t y = 1; y + 1 < n; ++y) {
      for (uint64_t x = 1; x + 1 < n; ++x) {
        const uint64_t at = ((z * n + y) * n + x) * 8;
        for (uint64_t step : {uint64_t{8}, n * 8, n * n * 8}) {
          trace.push_back(Record(ROOF_LOAD, kBase + at - step));
          trace.push_back(Record(ROOF_LOAD, kBase + at + step));
        }
        trace.push_back(Record(ROOF_LOAD, kBase + at));
        trace.push_back(Record(ROOF_STORE, to + at));
      }
    }
  }
  return trace;
}

void Measure(benchmark::State& state, const std::vector<uint64_t>& trace, uint32_t line_sampling,
             uint32_t three_cs) {
  Replay replay(line_sampling, three_cs);
  replay.Run(trace);
  const uint64_t before = replay.Lines(line_sampling);
  for (auto _ : state) replay.Run(trace);
  using benchmark::Counter;
  const auto inverted = Counter::kIsRate | Counter::kInvert;
  const double accesses =
      static_cast<double>(trace.size()) * static_cast<double>(state.iterations());
  state.counters["s_access"] = Counter(accesses, inverted);
  state.counters["s_line"] =
      Counter(static_cast<double>(replay.Lines(line_sampling) - before), inverted);
}

void Register(const char* name, std::vector<uint64_t> (*make)(uint64_t), uint64_t size) {
  struct Mode {
    const char* name;
    uint32_t line_sampling, three_cs;
  };
  for (const Mode& mode : {Mode{"all", 1, 0}, Mode{"one_in_16", 16, 0}, Mode{"three_cs", 1, 1},
                           Mode{"three_cs_one_in_16", 1, 16}}) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + mode.name).c_str(),
                                 [=](benchmark::State& state) {
                                   Measure(state, make(size), mode.line_sampling, mode.three_cs);
                                 })
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Register("l1_hits_triad", Triad, 1000);
  Register("triad_in_l3", Triad, 250'000);
  Register("triad_beyond_l3", Triad, 2'500'000);
  Register("stencil_64", Stencil, 64);
  Register("lines_streamed", Lines, 1'000'000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
