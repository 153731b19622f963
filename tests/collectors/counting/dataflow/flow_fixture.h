// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of instructions, given by their bytes, on a core whose latencies are known.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DATAFLOW_FLOW_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DATAFLOW_FLOW_FIXTURE_H_

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "collectors/counting/dataflow/dataflow.h"
#include "tests/collectors/counting/decoder/assembled.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {

// Round numbers that differ where they can.
inline roof_latencies Core() {
  roof_latencies core = {};
  for (unsigned i = ROOF_L_INT; i < ROOF_LATENCY_CLASSES; ++i) core.operation[i] = 1;
  core.operation[ROOF_L_INT_MUL] = 3;
  core.operation[ROOF_L_DP_ADD] = core.operation[ROOF_L_SP_ADD] = 3;
  core.operation[ROOF_L_DP_MUL] = 5;
  core.operation[ROOF_L_DP_FMA] = 4;
  core.operation[ROOF_L_DP_DIV] = 13;
  core.operation[ROOF_L_DP_SQRT] = 20;
  core.operation[ROOF_L_CONVERT_GENERAL] = 6;
  core.operation[ROOF_L_X87_MOVE] = 0;
  core.operation[ROOF_L_X87_ADD] = 7;
  core.merge = 1;
  core.load[ROOF_FLOW_L1] = 4;
  core.load[ROOF_FLOW_L2] = 14;
  core.load[ROOF_FLOW_L3] = 50;
  core.load[ROOF_FLOW_DRAM] = 300;
  core.load_vector = 3;
  core.forward_general = 2;
  core.forward_vector = 9;
  core.width = 6;
  core.window = 320;
  core.misses = 24;
  core.misses_dram = ROOF_FLOW_MISSES;
  return core;
}

// What an instruction touches in an iteration.
using Accesses = std::function<std::vector<roof_flow_access>(uint64_t iteration)>;

inline Accesses Load(const std::function<uint64_t(uint64_t)>& address, roof_flow_level level,
                     uint32_t bytes = 8, roof_flow_page page = ROOF_FLOW_PAGE_FIRST) {
  return [=](uint64_t i) {
    return std::vector<roof_flow_access>{
        {address(i), bytes, static_cast<uint8_t>(level), 0, static_cast<uint8_t>(page)}};
  };
}
inline Accesses Load(uint64_t address, uint32_t bytes = 8) {
  return Load([=](uint64_t) { return address; }, ROOF_FLOW_L1, bytes);
}
inline Accesses Store(const std::function<uint64_t(uint64_t)>& address, uint32_t bytes = 8) {
  return [=](uint64_t i) { return std::vector<roof_flow_access>{{address(i), bytes, 0, 1, 0}}; };
}
inline Accesses Store(uint64_t address, uint32_t bytes = 8) {
  return Store([=](uint64_t) { return address; }, bytes);
}
// Lines that no prefetcher foresees.
inline uint64_t Scattered(uint64_t i) { return (i * 7919 % 1000003) * 4096; }

struct Instruction {
  std::string assembly;
  std::string bytes;
  Accesses accesses = nullptr;
  std::function<bool(uint64_t iteration)> mispredicted = nullptr;
};

class Loop {
 public:
  explicit Loop(std::vector<Instruction> body, FindOperands find = &roof_find_operands)
      : body_(std::move(body)) {
    for (const Instruction& instruction : body_) {
      const std::vector<uint8_t> bytes = BytesOf(instruction.bytes);
      roof_operands operands;
      EXPECT_TRUE(find(bytes.data(), static_cast<unsigned>(bytes.size()), &operands))
          << instruction.assembly;
      operands_.push_back(operands);
    }
  }
  // The place of an instruction is its number in the body, plus one.
  void Iterate(roof_dataflow* flow, uint64_t first, uint64_t count) const {
    for (uint64_t i = first; i < first + count; ++i)
      for (size_t k = 0; k < body_.size(); ++k) {
        std::vector<roof_flow_access> accesses;
        if (body_[k].accesses) accesses = body_[k].accesses(i);
        const roof_flow_step step = {&operands_[k], k + 1, accesses.data(),
                                     static_cast<uint32_t>(accesses.size()),
                                     body_[k].mispredicted && body_[k].mispredicted(i)};
        roof_dataflow_step(flow, &step);
      }
  }
  size_t size() const { return body_.size(); }

 private:
  std::vector<Instruction> body_;
  std::vector<roof_operands> operands_;
};

inline uint64_t SumOfCauses(const roof_flow_result& result) {
  return std::accumulate(result.cause, result.cause + ROOF_FLOW_CAUSES, uint64_t{0});
}

struct Simulator {
  explicit Simulator(uint32_t capacity, const roof_latencies& core = Core()) {
    const roof_memory hooks = memory.Hooks();
    flow = roof_dataflow_create(&hooks, &core, capacity);
  }
  ~Simulator() {
    if (flow) roof_dataflow_destroy(flow);
  }
  roof_flow_result End() {
    roof_flow_result result;
    roof_dataflow_end(flow, &result);
    EXPECT_EQ(SumOfCauses(result), result.cycles);
    return result;
  }
  Memory memory;
  roof_dataflow* flow = nullptr;
};

inline constexpr uint64_t kIterations = 600;
inline constexpr uint64_t kWarmUp = 120;

// kIterations of the loop, after some that are not measured.
inline roof_flow_result Measure(const std::vector<Instruction>& body,
                                const roof_latencies& core = Core(),
                                FindOperands find = &roof_find_operands) {
  const Loop loop(body, find);
  Memory memory;
  const roof_memory hooks = memory.Hooks();
  roof_dataflow* flow =
      roof_dataflow_create(&hooks, &core, static_cast<uint32_t>(1000 * loop.size()));
  loop.Iterate(flow, 0, kWarmUp);
  roof_dataflow_measure(flow);
  loop.Iterate(flow, kWarmUp, kIterations);
  roof_flow_result result;
  roof_dataflow_end(flow, &result);
  roof_dataflow_destroy(flow);
  EXPECT_EQ(result.instructions, kIterations * loop.size());
  EXPECT_EQ(SumOfCauses(result), result.cycles);
  return result;
}

inline double CyclesPerIteration(const roof_flow_result& result) {
  return static_cast<double>(result.cycles) / static_cast<double>(kIterations);
}
inline double CyclesPerIteration(const std::vector<Instruction>& body,
                                 const roof_latencies& core = Core()) {
  return CyclesPerIteration(Measure(body, core));
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DATAFLOW_FLOW_FIXTURE_H_
