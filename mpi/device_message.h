// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks tell each other of their accelerators.
#ifndef ROOFMARK_MPI_DEVICE_MESSAGE_H_
#define ROOFMARK_MPI_DEVICE_MESSAGE_H_

#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/device.h"

namespace roofmark::mpi {

void PutDevices(ByteWriter& writer, const std::vector<DeviceInfo>& devices);
std::vector<DeviceInfo> GetDevices(ByteReader& reader);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_DEVICE_MESSAGE_H_
