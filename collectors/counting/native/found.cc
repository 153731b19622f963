// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/found.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roofmark::counting {
namespace {

struct Called {
  std::string file, to_file;
  ExecutedCall call;
};
// Numbers of modules are known once all of them are.
struct Taken {
  std::map<std::string, ExecutedModule> modules;
  std::vector<Called> calls;
};

ExecutedModule& ModuleOf(void* taken, const char* file) {
  ExecutedModule& module = static_cast<Taken*>(taken)->modules[file];
  if (module.file.empty()) module.file = file;
  return module;
}

uint32_t BytesOf(const roof_block_code& code) {
  return static_cast<uint32_t>(code.end - code.begin);
}

void TakeBlock(void* taken, const char* file, const roof_block* block) {
  const roof_block_code& code = block->code;
  ModuleOf(taken, file)
      .blocks.push_back({code.begin, BytesOf(code), code.instructions, block->times});
}
void TakeWay(void* taken, const char* file, const roof_block_way* way) {
  ModuleOf(taken, file).ways.push_back({way->from, way->to, way->times, way->calls != 0});
}
void TakePart(void* taken, const char* file, const roof_block_part* part) {
  const roof_block_code& code = part->block->code;
  ModuleOf(taken, file)
      .parts.push_back({code.begin, BytesOf(code), part->by.path,
                        static_cast<Layer>(part->by.layer), part->by.leads != 0, part->times});
}

void TakeCall(void* taken, const char* file, const char* to_file, const roof_called* called) {
  static_cast<Taken*>(taken)->calls.push_back(
      {file, to_file, {called->from, 0, called->to, called->times}});
}

}  // namespace

Executed TakeNativeExecuted(const roof_native_calls& calls, uint64_t& lost) {
  Taken taken;
  const roof_native_executed to = {&taken, &TakeBlock, &TakeWay, &TakePart, &TakeCall};
  lost = calls.executed(&to);
  for (const Called& each : taken.calls) {
    ModuleOf(&taken, each.file.c_str());
    ModuleOf(&taken, each.to_file.c_str());
  }
  std::map<std::string, uint32_t> numbers;
  for (const auto& [file, module] : taken.modules) numbers.emplace(file, numbers.size());
  for (Called& each : taken.calls) {
    each.call.to_module = numbers.at(each.to_file);
    taken.modules.at(each.file).calls.push_back(each.call);
  }
  Executed executed;
  for (auto& [file, module] : taken.modules) executed.modules.push_back(std::move(module));
  return executed;
}

}  // namespace roofmark::counting
