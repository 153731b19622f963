// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs of any number of regions and ranks, for charts and pages: made-up figures, the same on every
// machine.
#ifndef ROOFMARK_TESTS_LIB_REPORT_PAGE_JOBS_H_
#define ROOFMARK_TESTS_LIB_REPORT_PAGE_JOBS_H_

#include <string>

#include "lib/report/report.h"

namespace roofmark::test {

// Regions lie in phases of ten, some of which were found; one in a few waits. As many of them have
// hot loops as files have room for.
ReportJob PageJob(size_t regions, uint32_t ranks);

// What charts are looked at and tested with: one region, a demo's, a mini-app's, a large code's.
// Without regions: a job that was recorded (recorded_job.h).
struct PageSize {
  const char* name;
  size_t regions;
  uint32_t ranks;
};
inline constexpr PageSize kPageSizes[] = {{"one", 1, 2},      {"demo", 5, 4},
                                          {"thirty", 30, 64}, {"large", 500, 1000},
                                          {"stencil", 0, 2},  {"lulesh", 0, 1}};
ReportJob PageJob(const PageSize& size);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_PAGE_JOBS_H_
