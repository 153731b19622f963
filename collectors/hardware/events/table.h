// SPDX-License-Identifier: BSD-3-Clause
//
// The event table: per microarchitecture, which hardware events give which quantity, and how they
// are weighed. A quantity is a sum of (events x weights); every event of a device pattern is summed
// over all devices that match (all channels of all memory controllers of a package).
//
// The data are in cpus/, a file for each CPU; for readers in docs/events.md (generated). Tables are
// built on request; nothing is shared between threads.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_TABLE_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/events/cpu.h"
#include "lib/core/metric.h"
#include "lib/core/status.h"

namespace roofmark::events {

enum class Measure : uint8_t {
  kFlops,
  kCycles,
  kInstructions,
  kMemoryStallCycles,  // without progress, and a load outstanding
  kLastLevelMisses,    // lines that a core asked of memory: no DRAM traffic, see the formula's note
  kL1ReadBytes,        // into L1 from the level below
  kL1WriteBytes,       // out of L1 to the level below
  kL2ReadBytes,
  kL2WriteBytes,
  kL3ReadBytes,
  kDramReadBytes,
  kDramWriteBytes,
  kDramBytes,     // reads and writes, which the controller does not tell apart
  kHbmReadBytes,  // the package's high-bandwidth memory, beside its DRAM
  kHbmWriteBytes,
};

// What a FLOP event tells of the operations that it counts.
enum class FpPrecision : uint8_t { kDouble, kSingle, kHalf, kBfloat16, kMixed };
// kVector: more than one lane, how many is not told. kAny: not even that.
enum class FpWidth : uint8_t { kScalar, k128, k256, k512, kVector, kAny };
// Bits of FlopKind. A fused multiply-add counts as two, unless the formula's note says otherwise.
using KindSet = uint8_t;
constexpr KindSet KindBit(FlopKind kind) {
  return static_cast<KindSet>(1u << static_cast<uint32_t>(kind));
}
inline constexpr KindSet kAnyKind = (1u << kFlopKinds) - 1;

// A table may look at the same operations in several ways. Formulas of one view are disjoint and
// add up to all FLOPs; those of different views count the same operations, so never add them.
enum class FpView : uint8_t {
  kByPrecision,
  kByKind,
  kIfDouble,  // lanes are assumed to be of this precision: the CPU counts instructions only
  kIfSingle,
};

struct Quantity {
  Measure measure;
  // The others only if measure is kFlops.
  FpPrecision precision = FpPrecision::kMixed;
  FpWidth width = FpWidth::kAny;
  KindSet kinds = kAnyKind;
  FpView view = FpView::kByPrecision;
};

// The core's own PMU, whatever sysfs calls it ("cpu", "armv8_pmuv3_0").
inline constexpr std::string_view kCoreDevice = "cpu";

struct Event {
  // Under /sys/bus/event_source/devices: names separated by '|', of which the first that matches
  // anything counts, with '#' for one or more digits. So "uncore_imc_#" has all channels but not
  // uncore_imc_free_running_0.
  std::string device{kCoreDevice};
  // Fields of the device's format/: "event=0xc7,umask=0x01". Empty: known by its kernel name only.
  std::string fields;
  std::string name;  // as in the maker's manual
  // As in the device's events/, "{}" standing for the device's number; empty if kernels list none.
  std::string kernel_name;
  std::string pfm_name;  // libpfm4 4.13's, with its PMU; empty if it has none
  // General counters that one such event occupies: AMD counts FLOPs with a merged pair.
  uint8_t counters = 1;

  bool OnCore() const { return device == kCoreDevice; }
};

struct Term {
  Event event;
  double weight = 1;  // may be negative; bytes or FLOPs per count
  // The weight is for 128 bits of vector length: times SveVectorBits() / 128.
  bool per_128_bits = false;

  double Weight(uint32_t vector_bits) const {
    return per_128_bits ? weight * vector_bits / 128 : weight;
  }
};

struct Formula {
  Quantity quantity;
  std::vector<Term> terms;
  Status status = Status::kMeasured;  // or kMixedPrecision
  std::string note;                   // what a user must know; empty if nothing
};

struct Refusal {
  Measure measure;
  std::string reason;  // a sentence for the user
};

struct EventTable {
  CpuModel cpu;
  std::vector<Formula> formulas;
  std::vector<Refusal> refusals;
  uint32_t line_bytes = 64;  // of the last-level cache
  // Sets of events that have only one counter between them: at most one of a set counts at a time.
  std::vector<std::vector<std::string>> exclusive;  // names
};

EventTable TableOf(const CpuModel& cpu);

// Names for tables and messages: "dram_read_bytes", "dp", "256", "add+mul".
std::string_view MeasureName(Measure measure);
std::string_view PrecisionName(FpPrecision precision);
std::string_view WidthName(FpWidth width);
std::string KindNames(KindSet kinds);
// "flops_dp_256", "flops_mixed_add", "dram_read_bytes": unique within a view of a table.
std::string QuantityName(const Quantity& quantity);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_TABLE_H_
