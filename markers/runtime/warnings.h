// SPDX-License-Identifier: BSD-3-Clause
//
// What the file of a process says about its recording, one sentence each.
#ifndef ROOFMARK_MARKERS_RUNTIME_WARNINGS_H_
#define ROOFMARK_MARKERS_RUNTIME_WARNINGS_H_

#include <string>
#include <vector>

#include "markers/runtime/process.h"

namespace roofmark::runtime {

// `still_open` has the names of regions that were open at this moment.
std::vector<std::string> Warnings(const Process& self, const std::vector<std::string>& still_open,
                                  Until until);

// That forked processes entered regions; empty: none did.
std::string RegionsInChildren();
// Empty if a region was recorded, or none was left out.
std::string WhyNothingIsChosen(const Process& self);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_WARNINGS_H_
