// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_XML_TEXT_H_
#define ROOFMARK_LIB_REPORT_XML_TEXT_H_

#include <string>
#include <string_view>

namespace roofmark {

// Escapes &, <, > and quotes; control characters, which XML 1.0 forbids, become \xHH.
std::string XmlText(std::string_view text);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_XML_TEXT_H_
