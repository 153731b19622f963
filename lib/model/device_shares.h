// SPDX-License-Identifier: BSD-3-Clause
//
// How well the kernels of a region use what the device has: quotients of its counters.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_SHARES_H_
#define ROOFMARK_LIB_MODEL_DEVICE_SHARES_H_

#include "lib/model/device_derivation.h"

namespace roofmark {

inline constexpr double kLanesOfWarp = 32, kSectorBytes = 32, kWavefrontBytes = 128;

// Warps that multiprocessors hold over those that they can hold.
Value OccupancyOnDevice(const DeviceDerivation& of);
// Threads that are active in an instruction, over the lanes of a warp.
Value ActiveLanesOnDevice(const DeviceDerivation& of);
// Bytes that instructions ask for over those of the sectors that they access. At most 1.
Value SectorUseOnDevice(const DeviceDerivation& of);
// Wavefronts of shared memory beyond those that its instructions and bytes need, over all. Where
// instructions differ in width, or lanes read the same word, it is at most so much.
Value BankConflictsOnDevice(const DeviceDerivation& of);
// Lines that L2 does not have over those that it is asked for. At most 1.
Value L2MissesOnDevice(const DeviceDerivation& of);
// Cycles of the multiprocessor that works longest over the mean of all of them. At least 1.
Value SmImbalanceOnDevice(const DeviceDerivation& of);
// FMAs that all wait for each other over independent ones, as both were measured with as many warps
// on a multiprocessor as the region has, in the precision of most of its FLOPs. At most 1.
Value ChainedOnDevice(const DeviceDerivation& of);
// Time of its kernels over the mean of all devices of the run, of which one without the region has
// none. At least 1.
Value GpuImbalanceOnDevice(const DeviceDerivation& of);

// FLOPs of threads in double or single precision, those of tensor cores in double precision, and
// all of these: without those of tensor cores where nobody counted them.
Value DpFlopsOnDevice(const DeviceDerivation& of);
Value SpFlopsOnDevice(const DeviceDerivation& of);
Value TensorFlopsOnDevice(const DeviceDerivation& of);
Value FlopsOnDevice(const DeviceDerivation& of);
// Some of tensor cores were counted.
bool HasTensorFlops(const DeviceDerivation& of);
// Of all of them the shares that are fused, and double.
Value FusedOnDevice(const DeviceDerivation& of);
Value DoubleOnDevice(const DeviceDerivation& of);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_SHARES_H_
