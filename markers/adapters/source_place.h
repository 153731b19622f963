// SPDX-License-Identifier: BSD-3-Clause
//
// What the plug-in libroofmark_source.so says of a place in code. It is a library of its own,
// loaded when it is needed, so that programs do not depend on the readers of debug information.
#ifndef ROOFMARK_MARKERS_ADAPTERS_SOURCE_PLACE_H_
#define ROOFMARK_MARKERS_ADAPTERS_SOURCE_PLACE_H_

#include <cstdint>

namespace roofmark::adapters {

struct SourcePlace {
  char function[512];  // as the source has it, without arguments; empty: not known
  char file[256];      // without its folder; empty: there is no debug information
  uint32_t line;       // 0: not known
};

// Of `offset`, counted from where the file's first page is mapped: of code, or of the begin of the
// body of a construct. False: nothing is known. Takes memory, and reads the file at its first
// question. One caller at a time.
using FindSourcePlace = bool (*)(const char* path, uint64_t offset, bool is_body,
                                 SourcePlace* place);
inline constexpr char kFindSourcePlace[] = "roofmark_source_place";

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_SOURCE_PLACE_H_
