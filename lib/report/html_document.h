// SPDX-License-Identifier: BSD-3-Clause
//
// What all pages have in common: head, policy, style, script, and their data.
#ifndef ROOFMARK_LIB_REPORT_HTML_DOCUMENT_H_
#define ROOFMARK_LIB_REPORT_HTML_DOCUMENT_H_

#include <span>
#include <string>
#include <string_view>

#include "lib/report/report.h"

namespace roofmark {

// `main` is markup, `data` as ScriptText() makes it; `title` is any text.
std::string HtmlDocument(std::string_view title, std::string_view main, std::string_view data);

// Sentences as items of a list.
std::string HtmlItems(std::span<const std::string> lines);

// Those that are shown when somebody asks for them, as a list with this tag; nothing if there are
// none.
std::string HtmlRest(std::string_view tag, std::span<const std::string> lines);

// What makes the figures of a run doubtful; empty where nothing does. The script folds it where the
// screen is narrow. `of`: whose health it is, where there are several runs; its title is then all
// that is seen at first.
std::string HtmlHealth(const ReportJob& job, std::string_view of = "");

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_HTML_DOCUMENT_H_
