// SPDX-License-Identifier: BSD-3-Clause
//
// How a code scales, for people and programs.
#ifndef ROOFMARK_LIB_REPORT_SCALING_REPORT_H_
#define ROOFMARK_LIB_REPORT_SCALING_REPORT_H_

#include <deque>
#include <string>
#include <vector>

#include "lib/model/scaling.h"
#include "lib/report/report.h"

namespace roofmark {

// `names` of the runs, as they were given to ScalingOf().
std::string RenderScaling(const Scaling& scaling, const std::vector<std::string>& names,
                          const TextStyle& style);
std::string RenderScalingMarkdown(const Scaling& scaling, const std::vector<std::string>& names);
// path,file,ranks,threads,workers,quantity,unit,value: empty values are not known.
std::string RenderScalingCsv(const Scaling& scaling, const std::vector<std::string>& names);

// Strong or weak, and how that was recognised.
std::string KindSentence(const Scaling& scaling);
// Of regions that lose most time in the largest run.
std::vector<std::string> Losses(const Scaling& scaling);

// Speedup and efficiency of each region over ranks and threads, beside the ideal: a picture, and a
// self-contained page with the table.
std::string RenderScalingSvg(const Scaling& scaling, const PictureStyle& style);
// `jobs`: as they were given to ScalingOf().
std::string RenderScalingHtml(const Scaling& scaling, const std::deque<ReportJob>& jobs);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SCALING_REPORT_H_
