// SPDX-License-Identifier: BSD-3-Clause
//
// Hosts as the roofline file has them. For .cc files only: it pulls in nlohmann-json.
#ifndef ROOFMARK_LIB_PROFILE_HOST_JSON_H_
#define ROOFMARK_LIB_PROFILE_HOST_JSON_H_

#include "lib/profile/host.h"
#include "lib/profile/json_document.h"

namespace roofmark {

Json WriteHost(const HostInfo& host);
HostInfo ReadHost(const JsonNode& node);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_HOST_JSON_H_
