// SPDX-License-Identifier: BSD-3-Clause
//
// The member `devices` of the roofline file.
#ifndef ROOFMARK_LIB_PROFILE_DEVICE_JSON_H_
#define ROOFMARK_LIB_PROFILE_DEVICE_JSON_H_

#include <set>
#include <string>
#include <vector>

#include "lib/profile/device.h"
#include "lib/profile/json_document.h"

namespace roofmark {

// With the rows of these paths.
Json WriteDevices(const std::vector<DeviceInfo>& devices, const std::set<std::string>& paths);
std::vector<DeviceInfo> ReadDevices(const JsonNode& node);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_DEVICE_JSON_H_
