// SPDX-License-Identifier: BSD-3-Clause
//
// Which regions drawings show, and in which order: patterns as in lib/core/region_choice.h,
// separated by commas. What a pattern matches follows what those before it match; `-` before a
// pattern takes its regions away again, at the beginning of the list from all of them. `(program)`
// is the program as a whole.
#ifndef ROOFMARK_LIB_REPORT_DRAWN_REGIONS_H_
#define ROOFMARK_LIB_REPORT_DRAWN_REGIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/region_choice.h"
#include "lib/core/result.h"
#include "lib/report/report.h"

namespace roofmark {

class DrawnRegions {
 public:
  // The error names the pattern that is wrong.
  static Result<DrawnRegions> Parse(std::string_view text);

  // As ReportJob::drawn.
  std::vector<size_t> In(const JobProfile& job) const;

  // The first pattern that matches nothing in any of the jobs, as a clause with a name that is
  // near; empty: there is none.
  std::string WhyUnknown(const std::vector<ReportJob>& jobs) const;

 private:
  struct Named {
    std::string text;
    RegionPattern pattern;

    static Result<Named> Parse(std::string_view text);
    bool Matches(const JobProfile& job, size_t row) const;
  };
  static std::vector<size_t> All(const JobProfile& job, const Named& pattern);

  std::vector<Named> patterns_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DRAWN_REGIONS_H_
