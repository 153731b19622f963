// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/xml_text.h"

#include "lib/core/terminal_text.h"

namespace roofmark {

std::string XmlText(std::string_view text) {
  std::string out;
  for (char c : Printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace roofmark
