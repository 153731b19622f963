// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_STEM_H_
#define ROOFMARK_LIB_LOOPS_STEM_H_

#include <optional>
#include <string>

#include "lib/core/source_frame.h"

namespace roofmark::loops {

// A function that code was written in or inlined into, with the calls that inlined it: what the
// chains of several pieces of code have in common.
struct Stem {
  SourceChain calls;  // outermost first
  std::string function;

  bool operator==(const Stem&) const = default;
};

// The chain must not be empty.
Stem StemOf(const SourceChain& chain);

// The innermost function that both have; nothing if their code is of different functions.
std::optional<Stem> Common(const Stem& a, const Stem& b);

// Whether one is the other, or was inlined into it.
bool IsIn(const Stem& inner, const Stem& outer);

// By the name of its file.
bool IsFortran(const SourceFrame& frame);

// The frame of a chain that is in this function; nothing if the chain is not of it. Its line is the
// code's own, or that of the call which inlined the code there.
const SourceFrame* FrameIn(const SourceChain& chain, const Stem& stem);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_STEM_H_
