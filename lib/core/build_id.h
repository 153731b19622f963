// SPDX-License-Identifier: BSD-3-Clause
//
// By which files of one build are known to be the same. `notes` are those of an ELF file, as its
// program header PT_NOTE says where.
#ifndef ROOFMARK_LIB_CORE_BUILD_ID_H_
#define ROOFMARK_LIB_CORE_BUILD_ID_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace roofmark {

inline constexpr size_t kMostBuildIdBytes = 64;

// Its bytes, at most so many, in `notes`; empty: there is none. Takes no memory.
std::string_view FindBuildId(std::string_view notes) noexcept;

// Two digits for each byte, in lower case.
std::string Hexadecimal(std::string_view bytes);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_BUILD_ID_H_
