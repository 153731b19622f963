// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "lib/core/table.h"
#include "lib/model/roofs.h"

namespace roofmark {
namespace {

// The arguments of a reason stand for {0} and {1}.
constexpr Named<Reason> kReasons[] = {
    {Reason::kNone, ""},
    {Reason::kRecorded, "{0}"},
    {Reason::kNotCounted, "nothing in this run counts {0}"},
    {Reason::kNoRankHas, "no rank has a value for this region"},
    {Reason::kHasStatus, "{0} is {1}"},
    {Reason::kNoRealTimes,
     "only a counting pass ran, and its times are not valid: measure with `roofmark run`"},
    {Reason::kNoWallTime, "the file does not say how long the run took"},
    {Reason::kNoTime, "the region took no time"},
    {Reason::kTooShort, "its time is too short to be measured"},
    {Reason::kNoFlops, "it does no floating-point work"},
    {Reason::kNoBytes, "it moves no bytes"},
    {Reason::kNoBytesAtLevel, "no byte moved at this level"},
    {Reason::kZeroEverywhere, "it is zero everywhere"},
    {Reason::kDividesByZero, "it would divide by zero"},
    {Reason::kNoRankTotals, "the file does not say what each rank did"},
    {Reason::kRanksLeadInTraffic, "different ranks lead in loads and in stores"},
    {Reason::kOnePackage,
     "the job runs within one package, or no node counts the traffic of each package"},
    {Reason::kReadsWithWrites, "this CPU counts reads and writes together"},
    {Reason::kWidthsNotTold, "the counters of this CPU do not tell how wide instructions are"},
    {Reason::kDivisionsNotTold, "the counters of this CPU do not tell divisions apart"},
    {Reason::kNoMachine,
     "no machine file: run `roofmark machine --quick`, or give one with --machine"},
    {Reason::kNoMachineOfNodes,
     "no machine file for {0}, and the roof of a job is the sum of those of all its nodes"},
    {Reason::kNoPrecisionCeiling,
     "the machine file has no {0} ceiling: measure with `roofmark machine`"},
    {Reason::kNoRoofOfPrecisions,
     "the machine file has no such roof of its precisions: measure with `roofmark machine`"},
    {Reason::kNoDramBandwidth,
     "the machine file has no DRAM bandwidth: measure with `roofmark machine`"},
    {Reason::kNoLevelBandwidth,
     "the machine file has no bandwidth of this level: measure with `roofmark machine`"},
    {Reason::kNoDivisionRate,
     "the machine file has no rate of divisions: measure with `roofmark machine`"},
    {Reason::kNoWidthRate,
     "the machine file has no rate for some width that runs here: measure with `roofmark machine`"},
    {Reason::kNoInstructionMixes,
     "the machine file has no instruction mixes: measure with `roofmark machine`"},
    {Reason::kNoClock, "the machine file has no clock: measure with `roofmark machine`"},
    {Reason::kNoPageFaults, "page faults of the job were not counted"},
    {Reason::kNoSmallPages,
     "the machine file does not say what is read from pages of 4 KiB: measure with `roofmark "
     "machine`"},
    {Reason::kNoStreams,
     "the machine file does not say what one stream draws: measure with `roofmark machine`"},
    {Reason::kNoDeviceProperties, "the file does not say what the device can do at most"},
    {Reason::kNoDeviceLanes,
     "it is not known what multiprocessors of compute capability {0} can do at most"},
    {Reason::kNotMeasuredOnDevice,
     "no data sheet gives it, and it was not measured: measure with `roofmark machine --gpu`"},
    {Reason::kLostOnDevice,
     "some of the region's counts on the device were lost, or do not belong to the same visits"},
    {Reason::kNoKernels, "it executes no kernel"},
    {Reason::kOneDevice, "the run used one device"},
    {Reason::kRanksOnDevice,
     "the device counted it as a whole, and ranks that are missing here, or died, may have used "
     "it"},
    {Reason::kNothingBounds, "nothing bounds it there"},
    {Reason::kTakesNoTime, "without it the region would need no time that this model knows of"},
    {Reason::kNothingElseBounds, "nothing else that this model knows of bounds it"},
    {Reason::kNoKnownResource, "the machine file has no rate of any resource that it uses"},
    {Reason::kNoWindow, "it is too short for a window of executed instructions"},
    {Reason::kNoLineInWindow, "no line came from DRAM while its instructions were followed"},
    {Reason::kBoundAboveTime, "the model's bound is {0} % of what was measured: not used"},
};
static_assert(InOrder(kReasons, Reason::kBoundAboveTime));

// `one_in` stands for {}.
constexpr Named<CeilingId> kCeilings[] = {
    {CeilingId::kThreadParallelism, "thread parallelism only"},
    {CeilingId::kIlp, "+ILP"},
    {CeilingId::kSimd128, "128-bit SIMD"},
    {CeilingId::kSimd256, "256-bit SIMD"},
    {CeilingId::kSimd512, "512-bit SIMD"},
    {CeilingId::kSimd, "+SIMD"},
    {CeilingId::kWithoutFma, "without FMA"},
    {CeilingId::kFmaAlone, "FMA alone"},
    {CeilingId::kPeak, "peak"},
    {CeilingId::kDivisionsAlone, "divisions alone"},
    {CeilingId::kRootsAlone, "roots alone"},
    {CeilingId::kFpShare, "1/{} of instructions FP"},
    {CeilingId::kCores, "1/{} of the cores"},
    {CeilingId::kCoresThreadParallelism, "1/{} of the cores, thread parallelism only"},
    {CeilingId::kDramCores, "DRAM from 1/{} of the cores"},
    {CeilingId::kDramRandom, "DRAM random lines"},
    {CeilingId::kDramStrided, "DRAM strided"},
    {CeilingId::kDramFar, "DRAM no affinity"},
    {CeilingId::kDramCopy, "DRAM copy"},
    {CeilingId::kDramRead, "DRAM read"},
    {CeilingId::kDramReadPrefetch, "DRAM read, prefetch"},
    {CeilingId::kDramTriad, "DRAM triad"},
    {CeilingId::kDramTriadPrefetch, "DRAM triad, prefetch"},
    {CeilingId::kDramTriadNt, "DRAM triad, non-temporal"},
    {CeilingId::kLevel, ""},      // the level's name
    {CeilingId::kMix, ""},        // of its parts
    {CeilingId::kShortfall, ""},  // the shortfall's label
};
static_assert(InOrder(kCeilings, CeilingId::kShortfall));

// The number stands for {}.
struct ProofWords {
  ProofId id;
  std::string_view text;
  bool is_percent;
};
constexpr ProofWords kProofs[] = {
    {ProofId::kNone, "", false},
    {ProofId::kLanes, "{:.1f} lanes used", false},
    {ProofId::kFused, "{:.0f} % of the FLOPs fused", true},
    {ProofId::kFpShare, "{:.0f} % of the instructions do FLOPs", true},
    {ProofId::kBusiest, "the busiest worker does {:.2f}x the mean", false},
    {ProofId::kTrafficCores, "traffic from {:.0f} % of the cores", true},
    {ProofId::kDivisions, "{:.0f} % of the FLOPs are divisions or roots", true},
    {ProofId::kReads, "{:.0f} % of the traffic is read", true},
    {ProofId::kReadsPastCaches, "{:.0f} % of the traffic is read, most is written past the caches",
     true},
};
static_assert(InOrder(kProofs, ProofId::kReadsPastCaches));

std::string MixName(const Ceiling& ceiling) {
  std::vector<std::string> parts;
  for (const MixPart& part : ceiling.parts) {
    parts.push_back(
        fmt::format("{} {}", PrecisionName(part.precision), part.is_peak ? "peak" : "without FMA"));
  }
  return fmt::format("{}", fmt::join(parts, " + "));
}

}  // namespace

std::string ReasonText(const Why& why) {
  return fmt::format(fmt::runtime(RowOf(kReasons, why.id).name), why.argument, why.second);
}

std::string CeilingName(const Ceiling& ceiling) {
  switch (ceiling.id) {
    case CeilingId::kLevel:
      return std::string(LevelName(ceiling.level));
    case CeilingId::kMix:
      return MixName(ceiling);
    case CeilingId::kShortfall:
      return fmt::format("its own ceiling of {}", InfoOf(ceiling.shortfall).lack);
    default:
      return fmt::format(fmt::runtime(RowOf(kCeilings, ceiling.id).name), ceiling.one_in);
  }
}

std::string ProofText(const Proof& proof) {
  const ProofWords& words = RowOf(kProofs, proof.id);
  return fmt::format(fmt::runtime(words.text), proof.number * (words.is_percent ? 100 : 1));
}

std::string NoteText(MixNote note) {
  switch (note) {
    case MixNote::kNone:
      break;
    case MixNote::kNoRoofWithoutFma:
      return "code without FMA is measured against the peak: the machine file has no ceiling "
             "without FMA";
    case MixNote::kPrecisionsMixed:
      return "this CPU counts all precisions together: held against the double precision peak, "
             "which single precision may exceed";
  }
  return {};
}

std::string NoteText(RuntimeNote note) {
  return note == RuntimeNote::kNone
             ? ""
             : "DRAM traffic is not known: gains hold where memory does not bind";
}

}  // namespace roofmark
