// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_CODE_PLACE_H_
#define ROOFMARK_LIB_CORE_CODE_PLACE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark {

// An instruction of an executable or a library.
struct CodePlace {
  std::string file;     // as it is mapped
  uint64_t offset = 0;  // from the lowest address at which the file is mapped

  bool operator==(const CodePlace&) const = default;
};

// "0x1040@/usr/bin/app,0x20@/lib/x.so". A name may have commas in it, unless what follows looks
// like a place. Nothing if the text is something else, or empty.
std::optional<std::vector<CodePlace>> ParseCodePlaces(std::string_view text);
std::string TextOf(std::span<const CodePlace> places);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CODE_PLACE_H_
