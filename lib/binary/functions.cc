// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace roofmark::binary {
namespace {

// Functions begin at multiples of at most 64; what lies between them is shorter.
constexpr uint64_t kPaddingBytes = 64;

// A function before it has a name: addresses, the symbol, and 0 for an end that is not known.
struct Extent {
  uint64_t begin = 0, end = 0;
  const Symbol* symbol = nullptr;
};

bool IsPart(const std::string& name) { return ReadSymbolName(name).part != Part::kWhole; }

// Of several names of one place the first in this order is taken.
auto Rank(const Symbol& symbol) {
  return std::tuple(!symbol.function, symbol.resolver, symbol.bytes == 0, !symbol.global,
                    symbol.weak, symbol.name.starts_with('_'), IsPart(symbol.name),
                    symbol.name.size(), symbol.name);
}

bool IsCode(const FunctionInput& input, uint64_t address) {
  return std::any_of(input.code.begin(), input.code.end(), [&](const FrameExtent& code) {
    return code.begin <= address && address < code.end;
  });
}

// One for each address; the longest size of its names.
std::vector<Extent> OfSymbols(const FunctionInput& input) {
  std::map<uint64_t, Extent> by_begin;
  for (const Symbol& symbol : input.symbols) {
    if (symbol.name.empty() || !IsCode(input, symbol.address)) continue;
    Extent& extent = by_begin[symbol.address];
    extent.begin = symbol.address;
    if (symbol.bytes != 0 && symbol.address + symbol.bytes > symbol.address) {
      extent.end = std::max(extent.end, symbol.address + symbol.bytes);
    }
    if (extent.symbol == nullptr || Rank(symbol) < Rank(*extent.symbol)) extent.symbol = &symbol;
  }
  std::vector<Extent> extents;
  for (const auto& [begin, extent] : by_begin) extents.push_back(extent);
  return extents;
}

// Gives extents without an end that of the frame which begins there, and adds the frames that no
// symbol has. Both lists are by begin.
std::vector<Extent> WithFrames(std::vector<Extent> extents, const FunctionInput& input) {
  std::map<uint64_t, uint64_t> frames;
  for (const FrameExtent& frame : input.frames) {
    if (IsCode(input, frame.begin)) frames[frame.begin] = std::max(frames[frame.begin], frame.end);
  }
  for (Extent& extent : extents) {
    const auto frame = frames.find(extent.begin);
    if (frame == frames.end()) continue;
    if (extent.end == 0) extent.end = frame->second;
    frames.erase(frame);
  }
  for (const auto& [begin, end] : frames) extents.push_back({begin, end, nullptr});
  std::stable_sort(extents.begin(), extents.end(),
                   [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  return extents;
}

// Leaves out what begins inside another one and says nothing better than it: labels of assembler,
// frames of a part of a function. What a symbol with a size begins inside another one ends that.
std::vector<Extent> WithoutInner(const std::vector<Extent>& extents) {
  std::vector<Extent> kept;
  for (const Extent& extent : extents) {
    const bool inside = !kept.empty() && extent.begin < kept.back().end;
    const bool sized = extent.symbol != nullptr && extent.symbol->bytes != 0;
    if (inside && !sized) continue;
    if (inside) kept.back().end = extent.begin;
    kept.push_back(extent);
  }
  return kept;
}

// Ends at the next one's begin, or that of the section, at the latest.
void EndAll(std::vector<Extent>& extents, const FunctionInput& input) {
  for (size_t i = 0; i < extents.size(); ++i) {
    Extent& extent = extents[i];
    uint64_t limit = i + 1 < extents.size() ? extents[i + 1].begin : UINT64_MAX;
    for (const FrameExtent& code : input.code) {
      if (code.begin <= extent.begin && extent.begin < code.end) limit = std::min(limit, code.end);
    }
    if (extent.end == 0 || extent.end > limit) extent.end = limit;
  }
}

std::vector<Extent> WithGaps(const std::vector<Extent>& extents, const FunctionInput& input) {
  std::vector<Extent> all = extents;
  for (const FrameExtent& code : input.code) {
    uint64_t at = code.begin;
    const auto add_until = [&](uint64_t end) {
      if (end > at && end - at >= kPaddingBytes) all.push_back({at, end, nullptr});
    };
    for (const Extent& extent : extents) {
      if (extent.begin < code.begin || extent.begin >= code.end) continue;
      add_until(extent.begin);
      at = std::max(at, extent.end);
    }
    add_until(code.end);
  }
  std::sort(all.begin(), all.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  return all;
}

std::vector<Function> Named(const std::vector<Extent>& extents, const FunctionInput& input) {
  std::vector<Function> functions;
  std::string before;
  for (const Extent& extent : extents) {
    Function function;
    function.begin = extent.begin - input.base;
    function.end = extent.end - input.base;
    if (extent.symbol != nullptr) {
      function.symbol = extent.symbol->name;
      function.name = before = SourceName(function.symbol);
      function.part = ReadSymbolName(function.symbol).part;
    } else {
      function.name = fmt::format("{}+{:#x}", input.library, function.begin);
      function.nearest = before;
    }
    functions.push_back(std::move(function));
  }
  return functions;
}

// Local names can be there several times: that of the same source file is meant, else a global one,
// else the only one.
std::optional<uint32_t> ParentOf(const std::vector<uint32_t>& candidates, const Symbol& part,
                                 const std::vector<Extent>& extents) {
  for (const uint32_t candidate : candidates) {
    const Symbol& symbol = *extents[candidate].symbol;
    if (!symbol.global && symbol.unit != 0 && symbol.unit == part.unit) return candidate;
  }
  for (const uint32_t candidate : candidates) {
    if (extents[candidate].symbol->global) return candidate;
  }
  return candidates.size() == 1 ? std::optional(candidates.front()) : std::nullopt;
}

void FindParents(const std::vector<Extent>& extents, std::vector<Function>& functions) {
  std::map<std::string, std::vector<uint32_t>> by_symbol;
  for (uint32_t i = 0; i < functions.size(); ++i) {
    if (!functions[i].symbol.empty()) by_symbol[functions[i].symbol].push_back(i);
  }
  for (size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].part == Part::kWhole) continue;
    const SymbolName name = ReadSymbolName(functions[i].symbol);
    for (const std::string& symbol : {name.parent, name.source}) {
      const auto found = by_symbol.find(symbol);
      if (functions[i].parent || symbol.empty() || found == by_symbol.end()) continue;
      functions[i].parent = ParentOf(found->second, *extents[i].symbol, extents);
    }
  }
}

// The compiler takes constructs of OpenMP out of a function before it clones the function, or
// inlines the rest of it: they belong to the first clone, and where nothing else of the function is
// left to the first of them.
void JoinBodies(const std::vector<Extent>& extents, std::vector<Function>& functions) {
  std::map<std::pair<std::string, uint32_t>, uint32_t> first;  // by name and source file
  for (uint32_t i = 0; i < functions.size(); ++i) {
    if (functions[i].part != Part::kClone || functions[i].parent || extents[i].symbol->unit == 0) {
      continue;
    }
    first.try_emplace({ReadSymbolName(functions[i].symbol).source, extents[i].symbol->unit}, i);
  }
  for (uint32_t i = 0; i < functions.size(); ++i) {
    Function& body = functions[i];
    if (body.part != Part::kOutlined || body.parent || extents[i].symbol->unit == 0) continue;
    const std::string source = ReadSymbolName(body.symbol).source;
    if (source.empty()) continue;
    const auto [known, is_new] = first.try_emplace({source, extents[i].symbol->unit}, i);
    if (!is_new) body.parent = known->second;
  }
}

}  // namespace

std::vector<Function> MakeFunctions(const FunctionInput& input) {
  std::vector<Extent> extents = WithoutInner(WithFrames(OfSymbols(input), input));
  EndAll(extents, input);
  extents = WithGaps(extents, input);
  std::vector<Function> functions = Named(extents, input);
  FindParents(extents, functions);
  JoinBodies(extents, functions);
  return functions;
}

void NameFortran(std::vector<Function>& functions,
                 const std::function<bool(uint64_t offset)>& is_fortran) {
  for (Function& function : functions) {
    if (function.symbol.empty() || !is_fortran(function.begin)) continue;
    function.name = SourceName(function.symbol, true);
  }
}

const Function* FindFunction(const std::vector<Function>& functions, uint64_t offset) {
  auto after =
      std::upper_bound(functions.begin(), functions.end(), offset,
                       [](uint64_t at, const Function& function) { return at < function.begin; });
  if (after == functions.begin()) return nullptr;
  --after;
  return offset < after->end ? &*after : nullptr;
}

uint32_t RootOf(const std::vector<Function>& functions, uint32_t function) {
  // A cold part of the body of a construct in a clone has three levels above it. The limit ends
  // circles, which damaged input could have.
  for (int level = 0; level < 16; ++level) {
    const auto& parent = functions[function].parent;
    if (!parent || *parent >= functions.size()) break;
    function = *parent;
  }
  return function;
}

std::optional<uint32_t> RootAt(const std::vector<Function>& functions, uint64_t offset) {
  const Function* function = FindFunction(functions, offset);
  if (function == nullptr) return std::nullopt;
  return RootOf(functions, static_cast<uint32_t>(function - functions.data()));
}

}  // namespace roofmark::binary
