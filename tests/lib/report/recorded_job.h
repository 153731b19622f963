// SPDX-License-Identifier: BSD-3-Clause
//
// Roofline files of real runs, kept in `recorded`: LULESH (26 functions marked by
// benchmarks/realcodes) and the stencil of the demo, both recorded with hot loops on a machine that
// was busy. Figures that one rank makes redundant, names and folders of the machine are left out.
#ifndef ROOFMARK_TESTS_LIB_REPORT_RECORDED_JOB_H_
#define ROOFMARK_TESTS_LIB_REPORT_RECORDED_JOB_H_

#include <string>

#include "lib/report/report.h"

namespace roofmark::test {

// "lulesh" or "stencil". Ends the process if the file cannot be read.
ReportJob RecordedJob(const std::string& name);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_RECORDED_JOB_H_
