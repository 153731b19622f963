// SPDX-License-Identifier: BSD-3-Clause
//
// Script and styles of the page, from the files in lib/report/page; the build makes the constants.
#ifndef ROOFMARK_LIB_REPORT_PAGE_ASSETS_H_
#define ROOFMARK_LIB_REPORT_PAGE_ASSETS_H_

#include <string_view>

namespace roofmark {

struct PageAsset {
  std::string_view text;
  std::string_view sha256;  // of the text, in hexadecimal digits
};

// The page's style has the dark one and that of several runs, too. The latter is light and dark.
extern const PageAsset kPageScript, kPageStyle, kChartStyle, kDarkStyle, kRunsStyle;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PAGE_ASSETS_H_
