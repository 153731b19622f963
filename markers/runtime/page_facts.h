// SPDX-License-Identifier: BSD-3-Clause
//
// What decides whether huge pages can help a program: what the kernel does with them, and how much
// of the memory no setting of malloc reaches.
#ifndef ROOFMARK_MARKERS_RUNTIME_PAGE_FACTS_H_
#define ROOFMARK_MARKERS_RUNTIME_PAGE_FACTS_H_

#include <map>
#include <string>
#include <string_view>

namespace roofmark::runtime {

// "madvise" of "always [madvise] never"; empty without brackets.
std::string BracketedWord(std::string_view words);

// kHugePagesFact, where the kernel tells, and kStaticBytesFact.
void AddPageFacts(std::map<std::string, std::string>& facts);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_PAGE_FACTS_H_
