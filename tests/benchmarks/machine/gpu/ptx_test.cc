// SPDX-License-Identifier: BSD-3-Clause
//
// Each arithmetic kernel has just the instructions that its row claims, by the compiler's PTX.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "benchmarks/machine/gpu/kernel_table.h"

namespace roofmark::gpu {
namespace {

// Instructions of each kernel, by the word that PTX begins them with.
using Counts = std::map<std::string, std::map<std::string, uint32_t>>;

Counts CountsOf(const std::string& file) {
  std::ifstream lines(file);
  EXPECT_TRUE(lines) << file;
  Counts counts;
  std::string kernel;
  for (std::string line; std::getline(lines, line);) {
    constexpr char kEntry[] = ".entry ";
    if (const size_t at = line.find(kEntry); at != std::string::npos) {
      kernel = line.substr(at + sizeof kEntry - 1);
      kernel.resize(kernel.find('('));
    }
    std::istringstream words(line);
    std::string word;
    if (words >> word && !kernel.empty()) ++counts[kernel][word];
  }
  return counts;
}

// Of floating-point numbers, or of tensor cores.
bool IsArithmetic(const std::string& instruction) {
  static const std::regex kArithmetic(
      R"((add|sub|mul|fma|mad|div|rcp|sqrt|neg|abs|min|max)\..*(f64|f32|f16x2|bf16x2|f16|bf16)|mma\..*|wgmma\.mma_async\..*)");
  return std::regex_match(instruction, kArithmetic);
}

TEST(KernelTable, PtxHasWhatRowsClaim) {
  const Counts counts = CountsOf(GPU_KERNELS_PTX);
  for (const ArithmeticKernel& row : ArithmeticKernels()) {
    const auto kernel = counts.find(row.kernel);
    // Of other architectures tests/gpu/machine_test.py reads all.
    constexpr uint32_t kCompiled = 90;
    if (row.on_that_alone && row.least_capability != kCompiled) {
      EXPECT_EQ(kernel, counts.end()) << row.kernel;
      continue;
    }
    ASSERT_NE(kernel, counts.end()) << row.kernel;
    std::map<std::string, uint32_t> wanted = {{std::string(row.first), row.instructions}};
    if (!row.second.empty()) wanted[std::string(row.second)] = row.instructions;
    for (const auto& [instruction, count] : kernel->second) {
      if (IsArithmetic(instruction)) {
        EXPECT_EQ(wanted[instruction], count) << row.kernel << " " << instruction;
      }
    }
    for (const auto& [instruction, count] : wanted) {
      EXPECT_EQ(kernel->second.count(instruction) == 0 ? 0 : kernel->second.at(instruction), count)
          << row.kernel << " " << instruction;
    }
  }
}

// FLOPs or operations of one of these instructions, as one thread executes it.
TEST(KernelTable, WorkIsThatOfInstructions) {
  const std::map<std::string_view, double> kOfOne = {
      {"fma.rn.f64", 2},
      {"fma.rn.f32", 2},
      {"fma.rn.f16x2", 4},
      {"fma.rn.bf16x2", 4},
      {"add.rn.f64", 1},
      {"add.rn.f32", 1},
      {"add.rn.f16x2", 2},
      {"add.rn.bf16x2", 2},
      {"mul.rn.f64", 1},
      {"mul.rn.f32", 1},
      {"mul.rn.f16x2", 2},
      {"mul.rn.bf16x2", 2},
      {"div.rn.f64", 1},
      {"div.rn.f32", 1},
      {"sqrt.rn.f64", 1},
      {"sqrt.rn.f32", 1},
      {"mad.lo.u32", 1},
      {"add.u32", 1},
      {"xor.b32", 1},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 2.0 * 8 * 8 * 4 / 32},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 2.0 * 16 * 8 * 8 / 32},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 2.0 * 16 * 8 * 16 / 32},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 2.0 * 16 * 8 * 16 / 32},
      {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 2.0 * 16 * 8 * 32 / 32},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 2.0 * 16 * 8 * 32 / 32},
      {"wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32", 2.0 * 64 * 128 * 8 / 128},
      {"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", 2.0 * 64 * 128 * 16 / 128},
      {"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", 2.0 * 64 * 128 * 16 / 128},
      {"wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3", 2.0 * 64 * 128 * 32 / 128},
      {"wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8", 2.0 * 64 * 128 * 32 / 128}};
  for (const ArithmeticKernel& row : ArithmeticKernels()) {
    const double second = row.second.empty() ? 0 : kOfOne.at(row.second);
    EXPECT_EQ(row.work, row.instructions * (kOfOne.at(row.first) + second)) << row.kernel;
  }
}

}  // namespace
}  // namespace roofmark::gpu
