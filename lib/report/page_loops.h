// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops as the page's script shows them. For .cc files only: it pulls in nlohmann-json.
#ifndef ROOFMARK_LIB_REPORT_PAGE_LOOPS_H_
#define ROOFMARK_LIB_REPORT_PAGE_LOOPS_H_

#include <cstddef>
#include <optional>

#include "lib/profile/json_document.h"
#include "lib/report/report.h"

namespace roofmark {

// All loops of the job, each once: sentences, notes, and the code as cells. Null without loops.
Json PageLoops(const ReportJob& job);

// What the panel of a region says: its dependences, and the loops that it and the regions inside it
// execute, most first, with what is said of them there. `path` is an index into the profile's;
// nothing: the whole run. Null if there is nothing to say.
Json PageLoopsOf(const ReportJob& job, std::optional<size_t> path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PAGE_LOOPS_H_
