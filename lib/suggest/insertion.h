// SPDX-License-Identifier: BSD-3-Clause
//
// Text that is put into a source, and the difference that it makes.
#ifndef ROOFMARK_LIB_SUGGEST_INSERTION_H_
#define ROOFMARK_LIB_SUGGEST_INSERTION_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/suggest/scan.h"

namespace roofmark::suggest {

struct Insertion {
  size_t offset = 0;
  std::string text;
  // At the same offset: ends before begins, ends of inner statements before those of outer ones,
  // begins the other way round.
  bool begins = true;
  size_t other_end = 0;  // the offset of the statement's other end
};

std::string Applied(std::string_view text, std::vector<Insertion> insertions);

// A unified difference with three lines around each change, for `patch -p1` and `git apply`. Empty
// if nothing is inserted. Line ends stay what they are.
std::string UnifiedDifference(const std::string& file, const Source& source,
                              std::vector<Insertion> insertions);

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_INSERTION_H_
