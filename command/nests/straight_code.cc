// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/straight_code.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/assembly/assembly.h"

namespace roofmark::cli {

bool StraightCode::Computes(uint32_t module, uint32_t function) {
  auto known = binaries_.find(module);
  if (known == binaries_.end()) {
    Result<binary::Binary> binary =
        binary::Binary::Open(executed_.modules[module].file, binary::DebugInformation::kInTheFile);
    known = binaries_.emplace(module, std::nullopt).first;
    if (binary) known->second.emplace(std::move(*binary));
  }
  if (!known->second) return false;
  const std::vector<binary::Function>& functions = code_.modules[module].functions;
  for (uint32_t part = 0; part < functions.size(); ++part) {
    if (binary::RootOf(functions, part) != function) continue;
    if (ComputesIn(module, *known->second, functions[part])) return true;
  }
  return false;
}

bool StraightCode::ComputesIn(uint32_t module, const binary::Binary& binary,
                              const binary::Function& part) const {
  const std::vector<ExecutedBlock>& blocks = executed_.modules[module].blocks;
  auto block = std::partition_point(blocks.begin(), blocks.end(), [&](const ExecutedBlock& each) {
    return each.begin < part.begin;
  });
  for (; block != blocks.end() && block->begin < part.end; ++block) {
    const auto read = assembly::Read(binary.Code(block->begin, block->bytes), block->begin);
    const bool any = std::any_of(read.begin(), read.end(), [&](const assembly::Instruction& code) {
      return code.flops > 0 && !code_.modules[module].nests.At(code.offset);
    });
    if (any) return true;
  }
  return false;
}

}  // namespace roofmark::cli
