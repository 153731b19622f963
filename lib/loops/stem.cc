// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/stem.h"

#include <algorithm>
#include <cstddef>

namespace roofmark::loops {
namespace {

// Of the frame so many calls inside the outermost one.
const std::string& FunctionAt(const Stem& stem, size_t depth) {
  return depth < stem.calls.size() ? stem.calls[depth].function : stem.function;
}

}  // namespace

Stem StemOf(const SourceChain& chain) {
  return {{chain.rbegin(), chain.rend() - 1}, chain.front().function};
}

std::optional<Stem> Common(const Stem& a, const Stem& b) {
  if (FunctionAt(a, 0) != FunctionAt(b, 0)) return std::nullopt;
  const size_t most = std::min(a.calls.size(), b.calls.size());
  size_t depth = 0;
  while (depth < most && a.calls[depth] == b.calls[depth] &&
         FunctionAt(a, depth + 1) == FunctionAt(b, depth + 1)) {
    ++depth;
  }
  return Stem{{a.calls.begin(), a.calls.begin() + static_cast<ptrdiff_t>(depth)},
              FunctionAt(a, depth)};
}

bool IsIn(const Stem& inner, const Stem& outer) {
  const std::optional<Stem> common = Common(inner, outer);
  return common && *common == outer;
}

bool IsFortran(const SourceFrame& frame) {
  const size_t dot = frame.file.rfind('.');
  return dot != std::string::npos && dot + 1 < frame.file.size() &&
         (frame.file[dot + 1] == 'f' || frame.file[dot + 1] == 'F');
}

const SourceFrame* FrameIn(const SourceChain& chain, const Stem& stem) {
  const size_t depth = stem.calls.size();
  if (chain.size() <= depth) return nullptr;
  const SourceFrame& frame = chain[chain.size() - 1 - depth];
  if (frame.function != stem.function) return nullptr;
  return std::equal(stem.calls.begin(), stem.calls.end(), chain.rbegin()) ? &frame : nullptr;
}

}  // namespace roofmark::loops
