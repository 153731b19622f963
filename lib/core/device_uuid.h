// SPDX-License-Identifier: BSD-3-Clause
//
// How devices of NVIDIA are told apart.
#ifndef ROOFMARK_LIB_CORE_DEVICE_UUID_H_
#define ROOFMARK_LIB_CORE_DEVICE_UUID_H_

#include <span>
#include <string>
#include <string_view>

namespace roofmark {

// Whether the driver's name of a device ("NVIDIA A100-SXM4-40GB MIG 1g.5gb") is that of an instance
// that MIG made of a part of one.
bool IsDeviceInstance(std::string_view name);

// The UUID that the driver gives a device of this name, as nvidia-smi -L writes it: GPU-... or, of
// an instance, MIG-...
std::string DeviceUuid(std::span<const unsigned char, 16> uuid, std::string_view name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DEVICE_UUID_H_
