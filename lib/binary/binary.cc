// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/binary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lib/binary/names.h"
#include "lib/binary/symbols.h"

namespace roofmark::binary {
namespace {

FunctionInput InputOf(const ElfFile& file, const std::string& debug_file) {
  FunctionInput input = ReadFunctionInput(file);
  if (debug_file.empty()) return input;
  // Names that were stripped from the file itself.
  if (const auto debug = ElfFile::Open(debug_file); debug && debug->base() == file.base()) {
    const std::vector<Symbol> symbols = ReadSymbols(*debug);
    input.symbols.insert(input.symbols.end(), symbols.begin(), symbols.end());
  }
  return input;
}

// Bodies of OpenMP constructs whose symbols do not say where they belong.
void FindSourceParents(std::vector<Function>& functions, Sources& sources) {
  std::map<std::string, uint32_t> first_of;  // bodies of functions of which nothing else is left
  for (uint32_t f = 0; f < functions.size(); ++f) {
    Function& function = functions[f];
    const bool is_named = !ReadSymbolName(function.symbol).source.empty();
    if (function.part != Part::kOutlined || function.parent || is_named) continue;
    const std::string around = sources.FunctionAround(function.begin);
    if (around.empty()) continue;
    const auto parent =
        std::find_if(functions.begin(), functions.end(), [&](const Function& other) {
          return other.symbol == around && other.part == Part::kWhole;
        });
    if (parent == functions.end()) {
      function.name = SourceName(around, sources.IsFortran(function.begin));
      const auto [known, added] = first_of.try_emplace(around, f);
      if (!added) function.parent = known->second;
      continue;
    }
    function.parent = static_cast<uint32_t>(parent - functions.begin());
    function.name = parent->name;
  }
}

}  // namespace

Binary::Binary(ElfFile file, Result<Sources> sources)
    : file_(std::move(file)), sources_(std::move(sources)) {
  functions_ = MakeFunctions(InputOf(file_, sources_ ? sources_->debug_file() : ""));
  if (!sources_) return;
  NameFortran(functions_, [this](uint64_t offset) { return sources_->IsFortran(offset); });
  FindSourceParents(functions_, *sources_);
}

Result<Binary> Binary::Open(const std::string& path, DebugInformation where) {
  auto file = ElfFile::Open(path);
  if (!file) return Error{file.error()};
  if (where == DebugInformation::kInTheFile && file->Find(".debug_info") == nullptr) {
    return Binary(std::move(*file), Error{path + " has no debug information of its own"});
  }
  auto sources = Sources::Open(path, file->base());
  return Binary(std::move(*file), std::move(sources));
}

std::string Binary::Code(uint64_t offset, uint64_t bytes) const {
  return file_.ReadMemory(file_.base() + offset, bytes);
}

}  // namespace roofmark::binary
