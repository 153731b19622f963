// SPDX-License-Identifier: BSD-3-Clause
//
// How large pictures are to be, as options say it.
#ifndef ROOFMARK_COMMAND_PICTURE_SIZE_H_
#define ROOFMARK_COMMAND_PICTURE_SIZE_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"

namespace roofmark::cli {

inline constexpr double kLeastPictureMm = 60, kMostPictureMm = 1000;
inline constexpr double kPrintDpi = 300;  // of pictures made of dots, where no one counts these

struct PictureWidth {
  double mm = 0;
  double dpi = kPrintDpi;  // of pictures made of dots: a width in px is their number
};
// "85mm"; also cm, in and px, of which 96 are an inch. Errors are clauses with the cure.
Result<PictureWidth> ParsePictureWidth(std::string_view text);

// "4:3", as width over height: from 1:2 to 3:1.
Result<double> ParseAspect(std::string_view text);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PICTURE_SIZE_H_
