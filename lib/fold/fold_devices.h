// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOLD_FOLD_DEVICES_H_
#define ROOFMARK_LIB_FOLD_FOLD_DEVICES_H_

#include <string>
#include <vector>

#include "lib/counts/device.h"
#include "lib/profile/device.h"
#include "lib/profile/path_node.h"

namespace roofmark {

// What one process counted on its devices, as the profile has it: a row for every path that was
// counted or has such a path below it, with the values of these included. What was lost below a
// path is lost to it. `nodes` and `names` as in FullPaths(); a path that is not among them is left
// out.
std::vector<DeviceInfo> FoldDevices(const std::vector<counts::DeviceCounts>& counted,
                                    const std::vector<PathNode>& nodes,
                                    const std::vector<std::string>& names, const std::string& host);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOLD_FOLD_DEVICES_H_
