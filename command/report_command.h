// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_REPORT_COMMAND_H_
#define ROOFMARK_COMMAND_REPORT_COMMAND_H_

#include <string>
#include <vector>

#include "command/report_style.h"
#include "lib/model/machine.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// The roofs of a machine, all of its cores busy, drawn on stdout.
void ShowRoofs(const Machine& machine, const ReportStyle& style);

// The table and the drawing on stdout. `machine` may be null.
void ShowReport(const std::vector<RooflineFile>& files, const std::vector<std::string>& names,
                const std::vector<Machine>& machines, const ReportStyle& style);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_REPORT_COMMAND_H_
