// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops of a file, as every output shows them.
#ifndef ROOFMARK_COMMAND_LOOPS_VIEW_H_
#define ROOFMARK_COMMAND_LOOPS_VIEW_H_

#include <string>

#include "lib/core/result.h"
#include "lib/report/report.h"

namespace roofmark::cli {

// With llvm-mca, where it is wanted and installed.
incore::LoopsView MakeLoopsView(const HotLoops& hot, const ReportJob& job,
                                const incore::Wanted& wanted, bool ask_mca);

// The path of the region that a user names: by its path, its name or a part of either that no other
// has, but for regions inside it. The error names the candidates.
Result<std::string> FindRegion(const JobProfile& job, const std::string& given);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_LOOPS_VIEW_H_
