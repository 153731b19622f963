// SPDX-License-Identifier: BSD-3-Clause
//
// Why a number is missing, as an id with its arguments. lib/report words it.
#ifndef ROOFMARK_LIB_MODEL_REASON_H_
#define ROOFMARK_LIB_MODEL_REASON_H_

#include <cstdint>
#include <string>
#include <utility>

namespace roofmark {

enum class Reason : uint8_t {
  kNone,
  // What the run recorded.
  kRecorded,     // argument: the sentence of the roofline file
  kNotCounted,   // argument: the metric
  kNoRankHas,    // a value for this region
  kHasStatus,    // arguments: the metric, its status
  kNoRealTimes,  // only a counting pass ran
  kNoWallTime,   // of the run
  kNoTime,       // the region took none
  kTooShort,     // to be measured
  kNoFlops,      // the region does none
  kNoBytes,      // the region moves none
  kNoBytesAtLevel,
  kZeroEverywhere,
  kDividesByZero,
  kNoRankTotals,        // the file does not say what each rank did
  kRanksLeadInTraffic,  // different ones in loads and in stores
  kOnePackage,          // or packages that are not told apart
  kReadsWithWrites,     // counted together
  kWidthsNotTold,       // by the counters
  kDivisionsNotTold,    // by the counters
  // What the machine file lacks.
  kNoMachine,           // there is no machine file at all
  kNoMachineOfNodes,    // argument: the nodes of whose kind there is none
  kNoPrecisionCeiling,  // argument: the precision
  kNoRoofOfPrecisions,
  kNoDramBandwidth,
  kNoLevelBandwidth,
  kNoDivisionRate,
  kNoWidthRate,
  kNoInstructionMixes,
  kNoClock,
  kNoPageFaults,  // of the whole job
  kNoSmallPages,  // bandwidth of pages of 4 KiB
  kNoStreams,     // DRAM bandwidth of one stream and more
  // What is not known of an accelerator.
  kNoDeviceProperties,
  kNoDeviceLanes,  // argument: the compute capability
  kNotMeasuredOnDevice,
  kLostOnDevice,  // counts of the region
  kNoKernels,
  kOneDevice,      // used by the run
  kRanksOnDevice,  // some are missing, or died
  // What the model cannot say.
  kNothingBounds,  // this ceiling
  kTakesNoTime,    // without this shortfall
  kNothingElseBounds,
  kNoKnownResource,
  kNoWindow,        // of executed instructions lay in the region
  kNoLineInWindow,  // came from DRAM while a window was followed
  kBoundAboveTime,  // argument: the bound of the model in percent of the measured time
};

struct Why {
  Why() = default;
  // A reason is all that most callers have to say.
  Why(Reason reason, std::string first = {}, std::string next = {})  // NOLINT
      : id(reason), argument(std::move(first)), second(std::move(next)) {}

  Reason id = Reason::kNone;
  std::string argument, second;

  bool empty() const { return id == Reason::kNone; }
  bool operator==(const Why&) const = default;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_REASON_H_
