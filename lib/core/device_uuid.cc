// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/device_uuid.h"

#include <fmt/format.h>

namespace roofmark {

bool IsDeviceInstance(std::string_view name) {
  return name.find(" MIG ") != std::string_view::npos;
}

std::string DeviceUuid(std::span<const unsigned char, 16> uuid, std::string_view name) {
  std::string text = IsDeviceInstance(name) ? "MIG-" : "GPU-";
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  return text;
}

}  // namespace roofmark
