// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/found.h"

#include <map>
#include <string>
#include <utility>

namespace roofmark::counting {
namespace {

using Modules = std::map<std::string, ExecutedModule>;

ExecutedModule& ModuleOf(void* modules, const char* file) {
  ExecutedModule& module = (*static_cast<Modules*>(modules))[file];
  if (module.file.empty()) module.file = file;
  return module;
}

uint32_t BytesOf(const roof_block_code& code) {
  return static_cast<uint32_t>(code.end - code.begin);
}

void TakeBlock(void* modules, const char* file, const roof_block* block) {
  const roof_block_code& code = block->code;
  ModuleOf(modules, file)
      .blocks.push_back({code.begin, BytesOf(code), code.instructions, block->times});
}
void TakeWay(void* modules, const char* file, const roof_block_way* way) {
  ModuleOf(modules, file).ways.push_back({way->from, way->to, way->times, way->calls != 0});
}
void TakePart(void* modules, const char* file, const roof_block_part* part) {
  const roof_block_code& code = part->block->code;
  ModuleOf(modules, file)
      .parts.push_back({code.begin, BytesOf(code), part->by.path,
                        static_cast<Layer>(part->by.layer), part->by.leads != 0, part->times});
}

}  // namespace

Executed TakeNativeExecuted(const roof_native_calls& calls, uint64_t& lost) {
  Modules modules;
  const roof_native_executed to = {&modules, &TakeBlock, &TakeWay, &TakePart};
  lost = calls.executed(&to);
  Executed executed;
  for (auto& [file, module] : modules) executed.modules.push_back(std::move(module));
  return executed;
}

}  // namespace roofmark::counting
