// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/advice_words.h"

#include <fmt/format.h>

namespace roofmark {
namespace {

std::string SharePercent(double share) {
  const double percent = share * 100;
  return fmt::format("{:.{}f} %", percent, percent > 0 && percent < 9.95 ? 1 : 0);
}

// Factors and lanes: two decimals below ten hide nothing that matters.
std::string Factor(double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); }

std::string Times(double gain) {
  return gain < 1.95 ? fmt::format("{:.2f}x", gain) : Factor(gain) + "x";
}

std::string ExtentNumber(const Ceiling& ceiling) {
  switch (InfoOf(ceiling.shortfall).extent_kind) {
    case ExtentKind::kShare:
      return SharePercent(*ceiling.extent);
    case ExtentKind::kRest:
      return SharePercent(1 - *ceiling.extent);
    case ExtentKind::kFactor:
      break;
  }
  return Factor(*ceiling.extent);
}

// The number behind it.
std::string Extent(const Ceiling& ceiling, const RuntimeModel& region) {
  if (ceiling.shortfall == Shortfall::kFmaBalance && !region.kinds_told) {
    return "this CPU does not tell fused operations apart";
  }
  std::string number = ExtentNumber(ceiling);
  if (ceiling.shortfall == Shortfall::kSimd) {
    number += fmt::format(" of {}", Factor(region.lanes_possible));
  }
  if (ceiling.shortfall == Shortfall::kWriteAllocate && ceiling.gain.most > *ceiling.gain.least) {
    number = "up to " + number;
  }
  return fmt::format(fmt::runtime(InfoOf(ceiling.shortfall).extent), number);
}

}  // namespace

std::string AdviceSentence(const Ceiling& ceiling, const RuntimeModel& region) {
  const ShortfallInfo& info = InfoOf(ceiling.shortfall);
  const double least = *ceiling.gain.least, most = ceiling.gain.most;
  const std::string gain = most > least * 1.01 && least < most
                               ? fmt::format("{} to {}", Times(least), Times(most))
                               : fmt::format("up to {}", Times(most));
  const std::string cure = IsFusedAlready(ceiling)
                               ? "additions that run beside them on other pipes are"
                               : fmt::format("{} is", info.cure);
  return fmt::format("{}: {}; {} worth {}", info.label, Extent(ceiling, region), cure, gain);
}

std::string AdviceSentence(const Advice& advice, const JobAnalysis& analysis) {
  const RuntimeModel& region = analysis.paths[advice.path].runtime;
  return AdviceSentence(region.ceilings[Index(advice.shortfall)], region);
}

std::string MovesSentence(const RuntimeModel& region) {
  if (!region.attainable || region.binding.empty()) return {};
  const auto gain = [](const Value& value) -> std::string {
    if (!value) return "is worth more than this model can bound";
    if (*value < kLeastGain) return "gains nothing";
    return fmt::format("is worth at most {}", Times(*value));
  };
  return fmt::format("{} binds; moving right (more {}s per byte) {}, moving up {}", region.binding,
                     region.unit, gain(region.gain_right), gain(region.gain_up));
}

std::string WaitingSentence(const Waiting& waiting) {
  switch (waiting.what) {
    case WaitingFor::kNothing:
      return {};
    case WaitingFor::kMpi:
      return fmt::format("{} of its time is spent inside MPI", SharePercent(waiting.mpi_share));
    case WaitingFor::kUnknown:
      break;
  }
  return fmt::format(
      "almost no floating-point work, and its memory traffic needs only {} of its time: it waits, "
      "communicates, or does other work (declare that with ROOF_REGION_OPERATIONS){}",
      SharePercent(*waiting.busy_share),
      waiting.uneven
          ? fmt::format("; the slowest rank spends {:.2f}x the mean time", *waiting.uneven)
          : "");
}

}  // namespace roofmark
