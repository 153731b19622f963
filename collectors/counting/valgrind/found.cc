// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/valgrind/found.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/counting/nest_arrays.h"
#include "collectors/counting/valgrind/protocol.h"

namespace roofmark::counting {
namespace {

// As ROOF_REQ_HARVEST, it is asked again while other threads execute new code.
struct Tables {
  std::vector<roof_executed> blocks;
  std::vector<roof_way> ways;
  std::vector<roof_executed_call> calls;
  std::vector<roof_executed_part> parts;
};
Tables TakeAll() {
  Tables tables;
  roof_block_harvest harvest = {};
  const auto make_room = [](auto& rows, uint64_t needed, auto*& buffer, uint64_t& capacity) {
    rows.resize(needed + needed / 2);
    buffer = rows.data();
    capacity = rows.size();
  };
  while (ROOF_REQUEST(ROOF_REQ_BLOCKS, &harvest) == 0) {
    if (harvest.needed_blocks + harvest.needed_ways == 0) return {};  // not under the tool
    make_room(tables.blocks, harvest.needed_blocks, harvest.blocks, harvest.block_capacity);
    make_room(tables.ways, harvest.needed_ways, harvest.ways, harvest.way_capacity);
    make_room(tables.calls, harvest.needed_calls, harvest.calls, harvest.call_capacity);
    make_room(tables.parts, harvest.needed_parts, harvest.parts, harvest.part_capacity);
  }
  tables.blocks.resize(harvest.block_count);
  tables.ways.resize(harvest.way_count);
  tables.calls.resize(harvest.call_count);
  tables.parts.resize(harvest.part_count);
  return tables;
}

// Modules by the tool's numbers.
class NumberedModules {
 public:
  // nullptr: its name is not known.
  ExecutedModule* Find(uint64_t number) {
    const auto [found, is_new] = modules_.try_emplace(number);
    if (is_new) {
      auto asked = std::make_unique<roof_module>();
      asked->number = number;
      if (ROOF_REQUEST(ROOF_REQ_MODULE, asked.get()) == 1) found->second.file = asked->file;
    }
    return found->second.file.empty() ? nullptr : &found->second;
  }
  // Of those asked for until now, whose names are known: their indices in what Take() gives.
  std::map<uint64_t, uint32_t> Indices() const {
    std::map<uint64_t, uint32_t> indices;
    for (const auto& [number, module] : modules_) {
      if (!module.file.empty()) indices.emplace(number, indices.size());
    }
    return indices;
  }
  Executed Take() {
    Executed executed;
    for (auto& [number, module] : modules_) {
      if (!module.file.empty()) executed.modules.push_back(std::move(module));
    }
    return executed;
  }

 private:
  std::map<uint64_t, ExecutedModule> modules_;
};

}  // namespace

Executed TakeExecuted() {
  const Tables tables = TakeAll();
  NumberedModules modules;
  for (const roof_executed& block : tables.blocks) {
    if (ExecutedModule* module = modules.Find(block.module)) {
      module->blocks.push_back({block.begin, block.bytes, block.instructions, block.times});
    }
  }
  for (const roof_way& way : tables.ways) {
    if (ExecutedModule* module = modules.Find(way.module)) {
      module->ways.push_back({way.from, way.to, way.times, way.calls != 0});
    }
  }
  for (const roof_executed_part& part : tables.parts) {
    if (ExecutedModule* module = modules.Find(part.module)) {
      module->parts.push_back({part.begin, part.bytes, part.by.path,
                               static_cast<Layer>(part.by.layer), part.by.leads != 0, part.times});
    }
  }
  for (const roof_executed_call& call : tables.calls) {
    (void)modules.Find(call.module);
    (void)modules.Find(call.to_module);
  }
  const std::map<uint64_t, uint32_t> indices = modules.Indices();
  for (const roof_executed_call& call : tables.calls) {
    ExecutedModule* module = modules.Find(call.module);
    const auto to = indices.find(call.to_module);
    if (module == nullptr || to == indices.end()) continue;
    module->calls.push_back({call.from, to->second, call.to, call.times});
  }
  return modules.Take();
}

bool SetNests(const NestPlan& plan) {
  const NestArrays arrays(plan);
  return ROOF_REQUEST(ROOF_REQ_NESTS, &arrays.plan()) == 1;
}

NestPaths TakeNestPaths() {
  roof_nest_paths taken = {};
  std::vector<roof_nest_row> rows;
  while (ROOF_REQUEST(ROOF_REQ_NEST_PATHS, &taken) == 0) {
    if (taken.needed == 0) return {};  // not under the tool
    rows.resize(taken.needed + taken.needed / 2);
    taken.rows = rows.data();
    taken.capacity = rows.size();
  }
  rows.resize(taken.count);
  NestPaths paths;
  paths.lost = taken.lost;
  for (const roof_nest_row& row : rows) paths.paths.push_back({row.path, row.parent, row.nest - 1});
  return paths;
}

}  // namespace roofmark::counting
