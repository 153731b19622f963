// SPDX-License-Identifier: BSD-3-Clause
//
// Source lines of code of this process, while it runs. They are found by the plug-in
// libroofmark_source.so: a library of its own, loaded when it is needed, so that programs do not
// depend on the readers of debug information.
#ifndef ROOFMARK_LIB_CORE_SOURCE_PLACE_H_
#define ROOFMARK_LIB_CORE_SOURCE_PLACE_H_

#include <limits.h>

#include <cstdint>

namespace roofmark {

struct SourcePlace {
  char function[512];  // as the source has it, without arguments; empty: not known
  char file[256];      // without its folder; empty: there is no debug information
  uint32_t line;       // 0: not known
};

// Code in a file that is mapped; `offset` is counted from where the file's first page is.
struct MappedPlace {
  char path[PATH_MAX];
  uint64_t offset;
};

// The plug-in's function: of code, or of the begin of the body of a construct. False: nothing is
// known. Takes memory, and reads the file at its first question. One caller at a time.
using FindSourcePlace = bool (*)(const char* path, uint64_t offset, bool is_body,
                                 SourcePlace* place);
inline constexpr char kFindSourcePlace[] = "roofmark_source_place";

// False: the code lies in no file.
bool FindMapped(const void* code, MappedPlace& place) noexcept;
// Asks the plug-in in the folder of plug-ins beside this library. False: it is not there, or it
// knows nothing.
bool AskForSource(const MappedPlace& code, bool is_body, SourcePlace& place) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SOURCE_PLACE_H_
