// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_values.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "lib/model/device_links.h"
#include "lib/model/device_shares.h"
#include "lib/model/device_split.h"
#include "lib/model/work.h"

namespace roofmark {
namespace on_device {
namespace {

using Of = DeviceDerivation;
using Metric = DeviceMetric;

template <Metric metric>
Value Stored(const Of& of) {
  return StoredOf(of, metric);
}
template <Metric first, Metric... others>
Value Sum(const Of& of) {
  Value sum = StoredOf(of, first);
  ((sum = Plus(sum, StoredOf(of, others))), ...);
  return sum;
}

Value DramBytes(const Of& of) { return Sum<Metric::kDramReadBytes, Metric::kDramWriteBytes>(of); }
Value CopiedBytes(const Of& of) { return Sum<Metric::kToDeviceBytes, Metric::kToHostBytes>(of); }

Value KernelSeconds(const Of& of) { return Times(StoredOf(of, Metric::kKernelNs), 1e-9); }
Value CopySeconds(const Of& of) {
  return Times(Sum<Metric::kToDeviceNs, Metric::kToHostNs>(of), 1e-9);
}
Value RatePerSecond(const Value& amount, const Value& seconds) {
  return Times(Quotient(amount, seconds, Reason::kNoTime), 1e-9);
}
template <DeviceRoof level>
Value IntensityAt(const Of& of) {
  return IntensityOnDevice(of, level);
}

// Of its mix of precisions and units: each at its own peak, one after the other. Threads do half of
// theirs without FMAs; tensor cores have nothing else.
Value ComputePeak(const Of& of, bool fused) {
  const auto seconds_at = [&](const Value& flops, DeviceRoof roof) {
    return Combine(flops, of.roofs.Of(roof), std::divides<>());
  };
  const Value all = FlopsOnDevice(of);
  if (all && *all == 0) return Value::None(Reason::kNoFlops);
  const Value of_threads = Plus(seconds_at(DpFlopsOnDevice(of), DeviceRoof::kDp),
                                seconds_at(SpFlopsOnDevice(of), DeviceRoof::kSp));
  Value seconds = Times(of_threads, fused ? 1 : 2);
  if (HasTensorFlops(of)) {
    seconds = Plus(seconds, seconds_at(TensorFlopsOnDevice(of), DeviceRoof::kTensorDp));
  }
  return Combine(all, seconds, std::divides<>());
}
Value FusedPeak(const Of& of) { return ComputePeak(of, true); }
template <DeviceRoof level>
Value BoundBy(const Of& of) {
  return Combine(of.roofs.Of(level), IntensityAt<level>(of), std::multiplies<>());
}

struct LevelBound {
  std::string_view name;
  Value (*value)(const Of&);
};
// From the slowest on, so that equals are told as the outermost.
constexpr LevelBound kLevelBounds[] = {{"DRAM", BoundBy<DeviceRoof::kDram>},
                                       {"L2", BoundBy<DeviceRoof::kL2>},
                                       {"L1", BoundBy<DeviceRoof::kL1>}};

struct DeviceBound {
  Value gflops;
  std::string_view by;
};
// Needs compute and DRAM. Caches take part where their bytes and their bandwidth are known.
DeviceBound BoundOf(const Of& of, bool fused = true) {
  DeviceBound bound = {ComputePeak(of, fused), "compute"};
  for (const LevelBound& level : kLevelBounds) {
    const Value memory = level.value(of);
    if (!memory && level.name != kLevelBounds[0].name) continue;
    const Value lower =
        Combine(bound.gflops, memory, [](double a, double b) { return std::min(a, b); });
    if (!lower) return {lower, ""};
    if (*lower < *bound.gflops) bound.by = level.name;
    bound.gflops = lower;
  }
  return bound;
}
Value Attainable(const Of& of) { return BoundOf(of).gflops; }

template <double DeviceSplit::*part>
Value SecondsOfSplit(const Of& of) {
  const DeviceSplit split = SplitOnDevice(of);
  if (split.time_s <= 0) return Value::None(Reason::kNoTime);
  return ModelledOnDevice(split.*part);
}

// The device and one of the job's processes work at the same time: of one that waits for it, it is
// the share in which the device is busy.
Value ShareOfKernels(const Of& of) {
  return Quotient(KernelSeconds(of), SlowestTime(of.job, of.path), Reason::kNoTime);
}

constexpr DeviceValueInfo kRows[] = {
    {.name = "kernels",
     .unit = "count",
     .doc = "kernels that were launched in the region",
     .format = NumberFormat::kSi,
     .head = {"kernels", 5},
     .value = Stored<Metric::kKernels>},
    {.name = "kernel_time_s",
     .unit = "s",
     .doc = "time of these kernels; the times of those that ran side by side add up",
     .format = NumberFormat::kSeconds,
     .head = {"kernel time", 7},
     .value = KernelSeconds},
    {.name = "gflops",
     .unit = "GFLOP/s",
     .doc = "performance: `flops` over the time of the kernels",
     .head = {"GF/s", 5},
     .value = GflopsOnDevice},
    {.name = "flops_dp",
     .unit = "flops",
     .doc =
         "double-precision FLOPs of active threads, an FMA is two; those of tensor cores are not "
         "among them",
     .format = NumberFormat::kSi,
     .head = {"double FLOPs", 6},
     .value = DpFlopsOnDevice},
    {.name = "flops_sp",
     .unit = "flops",
     .doc = "single-precision FLOPs, likewise",
     .format = NumberFormat::kSi,
     .head = {"single FLOPs", 6},
     .value = SpFlopsOnDevice},
    {.name = "flops_tensor_dp",
     .unit = "flops",
     .doc = "double-precision FLOPs of tensor cores, an FMA is two; in other precisions nobody "
            "counts what tensor cores do",
     .format = NumberFormat::kSi,
     .head = {"tensor FLOPs", 6},
     .value = TensorFlopsOnDevice},
    {.name = "dram_bytes",
     .unit = "bytes",
     .doc = "bytes read from and written to the memory of the device",
     .format = NumberFormat::kSi,
     .head = {"DRAM bytes", 5},
     .value = DramBytes},
    {.name = "intensity_dram",
     .unit = "FLOP/byte",
     .doc = "operational intensity: `flops` over these bytes",
     .head = {"FLOP/B", 5},
     .value = IntensityAt<DeviceRoof::kDram>},
    {.name = "intensity_l2",
     .unit = "FLOP/byte",
     .doc = "`flops` over bytes requested from L2",
     .head = {"FLOP/L2 B", 5},
     .value = IntensityAt<DeviceRoof::kL2>},
    {.name = "intensity_l1",
     .unit = "FLOP/byte",
     .doc = "`flops` over bytes requested from L1",
     .head = {"FLOP/L1 B", 5},
     .value = IntensityAt<DeviceRoof::kL1>},
    {.name = "limited_by",
     .unit = "",
     .doc = "what takes most of the region's time: `launches`, `copies` or `idle` where kernels do "
            "not, else what they need most of: `compute`, `issue`, `shared`, `L1`, `L2`, `DRAM`, "
            "`link` (to the host) or `NVLink`, and `latency` where that explains less than 60 % of "
            "their time",
     .head = {"limited by", 8},
     .text = [](const Of& of) { return NameOf(LimitOnDevice(of)); }},
    {.name = "attainable_gflops",
     .unit = "GFLOP/s",
     .doc = "the lowest of `compute_peak_gflops`, `bound_dram_gflops`, and `bound_l2_gflops` and "
            "`bound_l1_gflops` where these are known",
     .head = {"attain GF/s", 6},
     .value = Attainable},
    {.name = "efficiency",
     .unit = "1",
     .doc = "achieved over attainable performance",
     .format = NumberFormat::kPercent,
     .head = {"eff.", 5},
     .value =
         [](const Of& of) {
           return Quotient(GflopsOnDevice(of), Attainable(of), Reason::kNoFlops);
         }},
    {.name = "binding",
     .unit = "",
     .doc = "what bounds attainable performance: `compute`, `L1`, `L2` or `DRAM`",
     .head = {"bound by", 7},
     .text = BoundOnDevice},
    {.name = "occupancy",
     .unit = "1",
     .doc = "warps that multiprocessors hold, while they hold any, over those that they can hold",
     .format = NumberFormat::kPercent,
     .head = {"occupancy", 5},
     .value = OccupancyOnDevice},
    {.name = "active_lanes",
     .unit = "1",
     .doc = "threads that are active in an instruction over the lanes of a warp: less where lanes "
            "go different ways",
     .format = NumberFormat::kPercent,
     .head = {"lanes active", 6},
     .value = ActiveLanesOnDevice},
    {.name = "sector_use",
     .unit = "1",
     .doc = "bytes of global memory that instructions ask for over those of the sectors that they "
            "access, at most 1",
     .format = NumberFormat::kPercent,
     .head = {"sector use", 6},
     .value = SectorUseOnDevice},
    {.name = "bank_conflicts",
     .unit = "1",
     .doc = "wavefronts of shared memory beyond one for each instruction and for each 128 bytes, "
            "over all: the conflicts are at most so many",
     .format = NumberFormat::kPercent,
     .head = {"bank confl.", 6},
     .value = BankConflictsOnDevice},
    {.name = "l2_miss_share",
     .unit = "1",
     .doc = "lines that L2 does not have over those that it is asked for",
     .format = NumberFormat::kPercent,
     .head = {"L2 misses", 6},
     .value = L2MissesOnDevice},
    {.name = "sm_imbalance",
     .unit = "1",
     .doc = "cycles of the multiprocessor that works longest, in each visit of the region, over "
            "the mean of all",
     .head = {"SM imbalance", 7},
     .value = SmImbalanceOnDevice},
    {.name = "copied_bytes",
     .unit = "bytes",
     .doc = "bytes copied between host and device, both ways",
     .format = NumberFormat::kSi,
     .head = {"copied bytes", 6},
     .value = CopiedBytes},
    {.name = "copy_gbytes_per_s",
     .unit = "GB/s",
     .doc = "these bytes over the time of the copies",
     .head = {"copied GB/s", 6},
     .value =
         [](const Of& of) {
           const Value rate = RatePerSecond(CopiedBytes(of), CopySeconds(of));
           const bool none_copied = rate.reason == Why(Reason::kNoTime);
           return none_copied ? Value::None(Reason::kNoBytes) : rate;
         }},
    {.name = "copy_efficiency",
     .unit = "1",
     .doc =
         "least time of the copies, at the measured rates of copies of pinned memory, over their "
         "time",
     .format = NumberFormat::kPercent,
     .head = {"copy eff.", 5},
     .value = CopyEfficiencyOnDevice},
    {.name = "pcie_bytes",
     .unit = "bytes",
     .doc = "bytes over PCIe, both ways: copies, and what kernels access in the memory of the host",
     .format = NumberFormat::kSi,
     .head = {"PCIe bytes", 5},
     .value = PcieBytesOnDevice},
    {.name = "link_use",
     .unit = "1",
     .doc =
         "least time of the bytes to and from the host, the busier way, at the measured rates of "
         "copies, over the host's time of the region, that of the slowest rank",
     .format = NumberFormat::kPercent,
     .head = {"link use", 5},
     .value = HostLinkUseOnDevice},
    {.name = "nvlink_bytes",
     .unit = "bytes",
     .doc = "bytes over NVLink, both ways, without what the protocol adds",
     .format = NumberFormat::kSi,
     .head = {"NVLink bytes", 6},
     .value = NvlinkBytesOnDevice},
    {.name = "flops",
     .unit = "flops",
     .doc = "FLOPs of threads in double and single precision, and of tensor cores in double "
            "precision where these were counted",
     .format = NumberFormat::kSi,
     .value = FlopsOnDevice},
    {.name = "compute_peak_gflops",
     .unit = "GFLOP/s",
     .doc = "what the multiprocessors can do at most with its mix of both precisions and of tensor "
            "cores, with every instruction of threads an FMA: as measured, else lanes x clock by "
            "the properties of the device",
     .value = FusedPeak},
    {.name = "bound_dram_gflops",
     .unit = "GFLOP/s",
     .doc = "bandwidth of the device's memory x intensity; the bandwidth as measured, else width "
            "of the bus x clock by the properties of the device",
     .value = BoundBy<DeviceRoof::kDram>},
    {.name = "bound_l2_gflops",
     .unit = "GFLOP/s",
     .doc = "measured bandwidth of L2 x `intensity_l2`",
     .value = BoundBy<DeviceRoof::kL2>},
    {.name = "bound_l1_gflops",
     .unit = "GFLOP/s",
     .doc = "measured bandwidth of L1 x `intensity_l1`",
     .value = BoundBy<DeviceRoof::kL1>},
    {.name = "dram_gbytes_per_s",
     .unit = "GB/s",
     .doc = "bytes of the device's memory over the time of the kernels",
     .value = [](const Of& of) { return RatePerSecond(DramBytes(of), KernelSeconds(of)); }},
    {.name = "kernel_share",
     .unit = "1",
     .doc =
         "time of the kernels over the host's time of the region, that of the slowest rank; more "
         "than 1 where kernels run side by side",
     .format = NumberFormat::kPercent,
     .value = ShareOfKernels},
    {.name = "kernel_part_s",
     .unit = "s",
     .doc = "of the region's time on its slowest rank, that in which a kernel ran",
     .format = NumberFormat::kSeconds,
     .value = SecondsOfSplit<&DeviceSplit::kernels_s>},
    {.name = "copy_part_s",
     .unit = "s",
     .doc = "that in which copies ran and no kernel",
     .format = NumberFormat::kSeconds,
     .value = SecondsOfSplit<&DeviceSplit::copies_s>},
    {.name = "launch_part_s",
     .unit = "s",
     .doc = "that in which nothing ran, as far as launching its kernels takes it, by the measured "
            "time of a launch",
     .format = NumberFormat::kSeconds,
     .value = SecondsOfSplit<&DeviceSplit::launches_s>},
    {.name = "idle_part_s",
     .unit = "s",
     .doc = "that in which nothing ran for another reason; the four parts are the region's time",
     .format = NumberFormat::kSeconds,
     .value = SecondsOfSplit<&DeviceSplit::idle_s>},
    {.name = "nvlink_use",
     .unit = "1",
     .doc =
         "least time of the bytes over NVLink, the busier way, at the measured rate of copies to "
         "another device, over the host's time of the region",
     .format = NumberFormat::kPercent,
     .value = NvlinkUseOnDevice},
    {.name = "c2c_bytes",
     .unit = "bytes",
     .doc = "bytes over NVLink-C2C, between the device and the CPU of its module, both ways",
     .format = NumberFormat::kSi,
     .value = C2cBytesOnDevice},
    {.name = "copy_time_s",
     .unit = "s",
     .doc = "time of copies between host and device, both ways",
     .format = NumberFormat::kSeconds,
     .value = CopySeconds},
};

constexpr bool RowsHaveAll() {
  bool columns = true;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if ((kRows[i].value == nullptr) == (kRows[i].text == nullptr)) return false;
    if (kRows[i].head.width > 0 && !columns) return false;
    columns = kRows[i].head.width > 0;
    for (size_t k = 0; k < i; ++k) {
      if (kRows[k].name == kRows[i].name) return false;
    }
  }
  return true;
}
static_assert(RowsHaveAll(), "unique names, one formula each, those with a column first");

}  // namespace
}  // namespace on_device

std::span<const DeviceValueInfo> DeviceValues() { return on_device::kRows; }

Value GflopsOnDevice(const DeviceDerivation& of) {
  return on_device::RatePerSecond(FlopsOnDevice(of), on_device::KernelSeconds(of));
}

Value AttainableOnDevice(const DeviceDerivation& of, bool fused) {
  return on_device::BoundOf(of, fused).gflops;
}

// What its time is spent on is another question.
std::string_view BoundOnDevice(const DeviceDerivation& of) { return on_device::BoundOf(of).by; }

Value IntensityOnDevice(const DeviceDerivation& of, DeviceRoof level) {
  if (level == DeviceRoof::kDram) {
    return Quotient(FlopsOnDevice(of), on_device::DramBytes(of), Reason::kNoBytes);
  }
  const auto bytes = level == DeviceRoof::kL2 ? DeviceMetric::kL2Bytes : DeviceMetric::kL1Bytes;
  return Quotient(FlopsOnDevice(of), StoredOf(of, bytes), Reason::kNoBytesAtLevel);
}

bool HasUncountedFlops(const DeviceDerivation& of) {
  constexpr DeviceMetric kHalf[] = {DeviceMetric::kHpAdd, DeviceMetric::kHpMul,
                                    DeviceMetric::kHpFma};
  const bool has_half = std::any_of(std::begin(kHalf), std::end(kHalf),
                                    [&](DeviceMetric metric) { return StoredOr0(of, metric) > 0; });
  const bool dp_is_counted = TensorFlopsOnDevice(of).number.has_value();
  const double counted = dp_is_counted ? StoredOr0(of, DeviceMetric::kTensorDp) : 0;
  return has_half || StoredOr0(of, DeviceMetric::kTensor) > counted;
}

}  // namespace roofmark
