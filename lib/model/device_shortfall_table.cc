// SPDX-License-Identifier: BSD-3-Clause
#include <iterator>

#include "lib/core/table.h"
#include "lib/model/device_links.h"
#include "lib/model/device_shares.h"
#include "lib/model/device_shortfall.h"
#include "lib/model/device_split.h"

namespace roofmark {
namespace {

Value TensorShare(const DeviceDerivation& of) {
  return Quotient(StoredOf(of, DeviceMetric::kTensor),
                  StoredOf(of, DeviceMetric::kWarpInstructions), Reason::kNoKernels);
}

Value MeanKernelSeconds(const DeviceDerivation& of) {
  const Value ns = StoredOf(of, DeviceMetric::kKernelNs);
  const Value mean = Quotient(ns, StoredOf(of, DeviceMetric::kKernels), Reason::kNoKernels);
  return Times(mean, 1e-9);
}

// Of the region's time.
template <double DeviceSplit::*part>
Value PartOnDevice(const DeviceDerivation& of) {
  const DeviceSplit split = SplitOnDevice(of);
  if (split.time_s <= 0) return Value::None(Reason::kNoTime);
  return ModelledOnDevice(split.*part / split.time_s);
}

constexpr auto kResource = DevicePart::kResource;
constexpr auto kRest = DevicePart::kRest;
constexpr auto kAround = DevicePart::kAround;

constexpr char kNcu[] = "Nsight Compute, Kernel Profiling Guide";
constexpr char kBestPractices[] = "CUDA C++ Best Practices Guide";

constexpr DeviceShortfallInfo kDeviceTable[] = {
    {DeviceShortfall::kFma, "fma", "FMA", kResource, Ease::kCompiler,
     "Fuse multiplications with additions", "{} of the FLOPs are fused", DeviceExtent::kShare,
     "each addition is fused with a multiplication, as far as there is one of both", "2008 A.1.3",
     FusedOnDevice},
    {DeviceShortfall::kPrecision, "precision", "precision", kResource, Ease::kRestructuring,
     "Compute in single precision, where that is accurate enough",
     "{} of the FLOPs are in double precision", DeviceExtent::kShare,
     "FLOPs in double precision at the rate of single precision; bytes remain as they are",
     "CUDA C++ Programming Guide, Arithmetic Instructions", DoubleOnDevice},
    {DeviceShortfall::kTensor, "tensor", "tensor cores", kResource, Ease::kAlgorithm,
     "Use tensor cores for products of matrices (single precision as TF32)",
     "{} of its instructions use tensor cores", DeviceExtent::kShare,
     "FLOPs at the rate of tensor cores: those of products of matrices alone can be", kNcu,
     TensorShare},
    {DeviceShortfall::kDivergence, "divergence", "divergence", kRest, Ease::kLocalChange,
     "Let all lanes of a warp go the same way", "{} of the lanes are active", DeviceExtent::kShare,
     "all lanes of every instruction of a warp are active", kNcu, ActiveLanesOnDevice},
    {DeviceShortfall::kBankConflicts, "bank_conflicts", "bank conflicts", kResource,
     Ease::kLocalChange, "Pad arrays in shared memory",
     "up to {} of the wavefronts of shared memory are due to conflicts", DeviceExtent::kShare,
     "no two lanes need different words of the same bank", kBestPractices, BankConflictsOnDevice},
    {DeviceShortfall::kSectors, "sectors", "sector waste", kResource, Ease::kLocalChange,
     "Let neighbouring lanes access neighbouring words",
     "{} of the bytes of accessed sectors are asked for", DeviceExtent::kShare,
     "every byte of a sector that is accessed is asked for", kBestPractices, SectorUseOnDevice},
    {DeviceShortfall::kL2Misses, "l2_misses", "L2 misses", kResource, Ease::kAlgorithm,
     "Reuse what L2 holds (blocking)", "{} of the lookups in L2 miss", DeviceExtent::kShare,
     "L2 has every line that it is asked for", kNcu, L2MissesOnDevice},
    {DeviceShortfall::kLinks, "links", "links", kResource, Ease::kRestructuring,
     "Keep what kernels access in the memory of their device (move pages before, ask the "
     "host and other devices for less)",
     "{} of the bytes beyond L2 are not those of its own memory", DeviceExtent::kShare,
     "kernels access no memory of the host, nor of another device", kBestPractices,
     LinkShareOnDevice},
    {DeviceShortfall::kOccupancy, "occupancy", "occupancy", kRest, Ease::kLocalChange,
     "Have more warps resident (fewer registers, less shared memory, larger grids)",
     "{} of the warps that fit are resident", DeviceExtent::kShare,
     "multiprocessors hold as many warps as they can: what waits overlaps so much more",
     "2008 A.1.2, Little's law", OccupancyOnDevice},
    {DeviceShortfall::kIlp, "ilp", "instruction-level parallelism", kRest, Ease::kLocalChange,
     "Give each thread independent instructions (unrolled loops, several sums)",
     "with so many warps, instructions that all wait for each other reach {} of the FMA rate",
     DeviceExtent::kShare,
     "each thread has as many independent instructions as the measured FMAs: what waits overlaps "
     "so much more",
     "2008 A.1.2, Little's law", ChainedOnDevice},
    {DeviceShortfall::kSmImbalance, "sm_imbalance", "imbalance over SMs", kRest, Ease::kLocalChange,
     "Share the work evenly over the SMs", "the busiest SM works {}x the mean",
     DeviceExtent::kFactor, "all multiprocessors work equally long", "2008 A.2.1",
     SmImbalanceOnDevice},
    {DeviceShortfall::kGpuImbalance, "gpu_imbalance", "imbalance over GPUs", kRest,
     Ease::kRestructuring, "Share the work evenly over the GPUs",
     "its kernels take {}x the mean of all GPUs", DeviceExtent::kFactor,
     "kernels of the region take equally long on all GPUs of the run", "2008 A.2.1",
     GpuImbalanceOnDevice},
    {DeviceShortfall::kLaunches, "launches", "launches", kAround, Ease::kLocalChange,
     "Launch fewer kernels (fused ones, CUDA graphs)", "its kernels take {} on average",
     DeviceExtent::kSeconds, "no kernel waits to be launched", kBestPractices, MeanKernelSeconds},
    {DeviceShortfall::kCopies, "copies", "copies", kAround, Ease::kLocalChange,
     "Leave data on the device, or copy while kernels run",
     "{} of its time is copies without a kernel", DeviceExtent::kShare,
     "copies take no time in which no kernel runs", kBestPractices,
     PartOnDevice<&DeviceSplit::copies_s>},
    {DeviceShortfall::kIdle, "idle", "idle device", kAround, Ease::kRestructuring,
     "Give the device work meanwhile", "{} of its time nothing runs on the device",
     DeviceExtent::kShare, "the device always has work", kBestPractices,
     PartOnDevice<&DeviceSplit::idle_s>},
};
static_assert(std::size(kDeviceTable) == kDeviceShortfalls && InOrder(kDeviceTable));

}  // namespace

std::span<const DeviceShortfallInfo> DeviceShortfallTable() { return kDeviceTable; }
const DeviceShortfallInfo& InfoOf(DeviceShortfall shortfall) {
  return RowOf(kDeviceTable, shortfall);
}

}  // namespace roofmark
