// SPDX-License-Identifier: BSD-3-Clause
//
// Rooflines of accelerators: one chart for each kind of device, with the regions of all devices of
// that kind, beside the host's chart.
#ifndef ROOFMARK_LIB_REPORT_DEVICE_CHARTS_H_
#define ROOFMARK_LIB_REPORT_DEVICE_CHARTS_H_

#include <string>
#include <vector>

#include "lib/report/chart.h"
#include "lib/report/report.h"

namespace roofmark {

struct DeviceChart {
  std::string title;  // one line for people: the kind, its devices, where its ceilings stem from
  Chart chart;        // keys of dots as in the tables of devices
};

// Of kinds that have dots, in the order of their first devices. A kind is a name with its
// properties; its ceilings are those of its first device.
std::vector<DeviceChart> DeviceCharts(const ReportJob& job, ChartKind kind);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DEVICE_CHARTS_H_
