// SPDX-License-Identifier: BSD-3-Clause
//
// What a region moves over the links of its device: PCIe or NVLink-C2C to the host, NVLink to other
// devices. Directions work side by side, so the busier one decides.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_LINKS_H_
#define ROOFMARK_LIB_MODEL_DEVICE_LINKS_H_

#include "lib/model/device_derivation.h"

namespace roofmark {

// Both directions together.
Value PcieBytesOnDevice(const DeviceDerivation& of);
Value C2cBytesOnDevice(const DeviceDerivation& of);
Value NvlinkBytesOnDevice(const DeviceDerivation& of);

// The least time of these bytes, at the measured rate of copies, over the region's time.
Value HostLinkUseOnDevice(const DeviceDerivation& of);
Value NvlinkUseOnDevice(const DeviceDerivation& of);

// Seconds that kernels need at least of the link to the host: those of the bytes that no copy
// between host and device moved. And of NVLink, on which copies are not known. 0: not known.
double HostLinkSecondsOfKernels(const DeviceDerivation& of);
double NvlinkSecondsOfKernels(const DeviceDerivation& of);

// Bytes of these links over those of these links and of the device's memory.
Value LinkShareOnDevice(const DeviceDerivation& of);

// The least time of copies between host and device, at the measured rates, over what they take.
Value CopyEfficiencyOnDevice(const DeviceDerivation& of);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_LINKS_H_
