// SPDX-License-Identifier: BSD-3-Clause
//
// The plug-in that finds the source of a place in code (lib/core/source_place.h).
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lib/binary/binary.h"
#include "lib/core/file_name.h"
#include "lib/core/source_place.h"

namespace {

using namespace roofmark::binary;
using roofmark::FileName;
using roofmark::SourceChain;
using roofmark::SourcePlace;

// They stay open: the program's threads may ask until it ends.
Binary* Opened(const std::string& path) {
  static auto& opened = *new std::map<std::string, std::optional<Binary>>();
  const auto [row, is_new] = opened.try_emplace(path);
  if (is_new) {
    // Nothing is asked of the network or of other files while the program waits.
    auto binary = Binary::Open(path, DebugInformation::kInTheFile);
    if (binary) row->second.emplace(std::move(*binary));
  }
  return row->second ? &*row->second : nullptr;
}

// Bodies of constructs are no functions of the source.
bool IsBody(const std::string& symbol) { return ReadSymbolName(symbol).part == Part::kOutlined; }

// What was inlined where a body begins is not its place.
SourceChain ChainOf(Binary& binary, uint64_t offset, bool is_body) {
  if (!binary.sources()) return {};
  if (is_body) return {binary.sources()->BeginAt(offset)};
  return binary.sources()->ChainAt(offset);
}

std::string FunctionOf(const Binary& binary, uint64_t offset, const SourceChain& chain) {
  if (!chain.empty() && !chain[0].function.empty() && !IsBody(chain[0].function)) {
    return WithoutArguments(chain[0].function);
  }
  const Function* function = binary.FunctionAt(offset);
  if (function == nullptr || function->symbol.empty() || IsBody(function->name)) return "";
  return WithoutArguments(function->name);
}

template <size_t size>
void Copy(std::string_view text, char (&to)[size]) {
  to[text.copy(to, size - 1)] = '\0';
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool roofmark_source_place(
    const char* path, uint64_t offset, bool is_body, SourcePlace* place) try {
  Binary* binary = Opened(path);
  if (binary == nullptr) return false;
  const SourceChain chain = ChainOf(*binary, offset, is_body);
  Copy(FunctionOf(*binary, offset, chain), place->function);
  if (!chain.empty() && chain[0].line != 0) {
    Copy(FileName(chain[0].file), place->file);
    place->line = chain[0].line;
  }
  return place->function[0] != '\0' || place->line != 0;
} catch (const std::exception&) {  // memory is short
  return false;
}
