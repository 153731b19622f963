// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/advice_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "lib/core/terminal_text.h"
#include "lib/report/format.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

std::string InsideMpiText(double share) {
  return fmt::format("{} of its time is spent inside MPI", FinePercent(share));
}

std::string MpiWorkText(const PathAnalysis& path) {
  return fmt::format("{}, where MPI itself works: {}",
                     InsideMpiText(path.split.inside_mpi_s / path.split.time_s),
                     WorkOfMpi(path.waiting));
}

// A team of one thread has nobody to wait for, but begins and ends.
std::string InOpenMpText(double share) {
  return fmt::format(
      "for {} of its time no thread of its teams works: they wait in OpenMP, or begin and end "
      "parallel regions",
      FinePercent(share));
}

// The time that its work can use.
std::string OutsideText(const TimeSplit& split) {
  std::vector<std::string_view> parts;
  if (split.inside_mpi_s > 0) parts.push_back("MPI");
  if (split.in_openmp_s >= 0.01 * split.time_s) parts.push_back("waits in OpenMP");
  if (split.in_kernel_s >= 0.01 * split.time_s) parts.push_back("the operating system");
  return Seconds(split.Usable()) +
         (parts.empty() ? "" : fmt::format(" outside {}", fmt::join(parts, " and ")));
}

// Of a time by dependences; less of it is not named.
constexpr double kMattersOfPath = 0.1;

// What a time by dependences is spent on, the largest first.
std::string DependenceParts(const Dependences& dependences) {
  struct Part {
    Dependence id;
    std::string_view text;
  };
  constexpr Part kParts[] = {{Dependence::kFp, "floating-point operations"},
                             {Dependence::kAddress, "addresses and integers"},
                             {Dependence::kForward, "values through memory"},
                             {Dependence::kMemory, "loads from beyond L1"},
                             {Dependence::kInFlight, "misses in flight"},
                             {Dependence::kWindow, "a full window of instructions"},
                             {Dependence::kTlb, "TLB misses"},
                             {Dependence::kUnits, "units that others take"},
                             {Dependence::kAtomic, "atomics"},
                             {Dependence::kBranch, "mispredicted branches"},
                             {Dependence::kIssue, "instructions that wait for nothing"}};
  std::vector<Part> large;
  for (const Part& part : kParts) {
    if (dependences.Share(part.id) >= kMattersOfPath) large.push_back(part);
  }
  std::stable_sort(large.begin(), large.end(), [&](const Part& a, const Part& b) {
    return dependences.Share(a.id) > dependences.Share(b.id);
  });
  std::string text;
  for (const Part& part : large) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.text,
                        FinePercent(dependences.Share(part.id)));
  }
  return text;
}

std::string LatencyName(const Dependences& dependences) {
  const double many = dependences.Share(Dependence::kInFlight);
  const double one = dependences.Share(Dependence::kMemory);
  if (dependences.Share(Dependence::kTlb) > std::max(one, many)) return "latency of TLB misses";
  return many > one ? "the number of misses in flight" : "memory latency";
}

// Whether the region's traffic takes as long as it does because of it.
bool IsWorthFixing(const RuntimeModel& region, Shortfall shortfall) {
  if (region.ceilings.empty()) return false;
  const Ceiling& ceiling = region.ceilings[Index(shortfall)];
  return ceiling.gain.least && *ceiling.gain.least >= kLeastGain;
}

std::string ResourceName(std::string_view resource) {
  if (resource == "compute") return "computation";
  if (resource == "dependences") return "a chain of dependent operations";
  if (resource == "branches") return "branch misprediction";
  if (resource == "atomics") return "waiting for atomic updates";
  if (resource == "latency") return "memory latency";
  return fmt::format("{} bandwidth", resource);
}

bool IsOfCriticalPath(std::string_view resource) {
  for (const std::string_view one : {"dependences", "branches", "atomics", "latency"}) {
    if (resource == one) return true;
  }
  return false;
}

// The same with what the region's work tells of it.
std::string ResourceName(std::string_view resource, const RuntimeModel& region) {
  const Dependences& dependences = region.dependences;
  std::string name = ResourceName(resource);
  if (resource == "DRAM" || resource == "L3") {
    if (IsWorthFixing(region, Shortfall::kSmallPages)) name += " from pages of 4 KiB";
    if (resource == "DRAM" && IsWorthFixing(region, Shortfall::kStreams)) {
      name += fmt::format(" (its lines come in {})", StreamsDraw(region.streams));
    }
    return name;
  }
  const bool units =
      resource == "compute" && dependences.Share(Dependence::kUnits) >= kMattersOfPath;
  if (!units && !IsOfCriticalPath(resource)) return name;
  if (!dependences.seconds.as_is) return name;  // latency as stalls of counters
  if (resource == "latency") name = LatencyName(dependences);
  const bool branches = resource == "branches";
  if (branches || resource == "atomics") {
    const Dependence one = branches ? Dependence::kBranch : Dependence::kAtomic;
    return fmt::format("{} ({} of its critical path)", name, FinePercent(dependences.Share(one)));
  }
  return fmt::format("{} ({})", name, DependenceParts(dependences));
}

// Two limit the region, neither alone.
std::string TogetherText(const PathAnalysis& path) {
  const Sides& sides = path.runtime.sides;
  const double other = path.limit.beside == sides.core ? sides.core_s : sides.memory_s;
  return fmt::format(
      "{} and {} limit it together: they need at least {} and {} of {}. Both matter: fixing one "
      "leaves the other",
      ResourceName(path.limit.resource, path.runtime),
      ResourceName(path.limit.beside, path.runtime), Seconds(*path.split.needed_s), Seconds(other),
      OutsideText(path.split));
}

std::string UnexplainedText(const PathAnalysis& path) {
  const TimeSplit& split = path.split;
  return fmt::format("its work needs {} of {}, the other {} is not explained",
                     Seconds(*split.needed_s), OutsideText(split), Seconds(*split.unexplained_s));
}

std::string LikelyText(const PathAnalysis& path) {
  const std::string why_not = ReasonText(path.split.needed_s.reason);
  if (path.limit.resource.empty()) return why_not;
  return fmt::format("{} probably limits it, but {}",
                     ResourceName(path.limit.resource, path.runtime), why_not);
}

// A phase after "60 % of its time"; without the verb where the one before it was limited, too.
std::string PhaseText(const Phase& phase, bool goes_on) {
  const std::string_view limited = goes_on ? "by" : "is limited by";
  if (phase.mark == kOtherPhases) return fmt::format("{} other things", limited);
  std::string name = ResourceName(phase.resource);
  if (!phase.beside.empty()) name += fmt::format(" and {} together", ResourceName(phase.beside));
  switch (phase.what) {
    case LimitedBy::kWaiting:
      return "is spent waiting";
    case LimitedBy::kKernel:
      return "is work of the operating system";
    case LimitedBy::kMpiWork:
      return "is work of MPI";
    case LimitedBy::kResource:
      return fmt::format("{} {}", limited, name);
    case LimitedBy::kBoundIsWrong:
      return "is probably limited by " + name;
    case LimitedBy::kUnknown:
    case LimitedBy::kUnexplained:
    case LimitedBy::kPhases:
      break;
  }
  return "is unexplained";
}

std::string PhasesText(const std::vector<Phase>& phases) {
  std::string text;
  bool goes_on = false;
  for (const Phase& phase : phases) {
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", Percent(phase.share),
                        text.empty() ? " of its time" : "", PhaseText(phase, goes_on));
    goes_on = phase.what == LimitedBy::kResource;
  }
  return text;
}

std::string OtherWorkText(const Waiting& waiting) {
  return fmt::format(
      "it does other work than floating point, which was not counted: its traffic needs {} of its "
      "time",
      FinePercent(*waiting.busy_share));
}

}  // namespace

bool IsUncounted(const PathAnalysis& path) {
  return path.waiting.other_work && !path.runtime.dependences.seconds.as_is;
}

std::string StreamsDraw(const MemoryStreams& streams) {
  const std::string count =
      *streams.count < 1.05 ? "one stream" : Factor(*streams.count) + " streams";
  return fmt::format("{}: one core draws {:.3g} GB/s so, {:.3g} GB/s from {}", count,
                     streams.core_gbs, streams.enough_gbs, streams.enough);
}

std::string WorkOfMpi(const Waiting& waiting) {
  return waiting.has_other_ranks ? "copies take most of that"
                                 : "copies and set-up, no rank waits for another";
}

std::string IntervalText(const TimeInterval& interval) {
  if (interval.least < 0.01 * interval.most) return "up to " + Seconds(interval.most);
  return fmt::format("{} to {}", Seconds(interval.least), Seconds(interval.most));
}

bool SuppliesPages(const PathAnalysis& path) {
  constexpr double kLeastRate = 50'000;  // a second
  const Value& faults = path.page_faults;
  return faults && *faults >= kLeastRate * path.split.in_kernel_s;
}

std::string KernelSentence(const PathAnalysis& path) {
  const std::string text = fmt::format("the operating system works for {} of its time",
                                       FinePercent(path.split.in_kernel_s / path.split.time_s));
  const Value& faults = path.page_faults;
  if (SuppliesPages(path)) {
    return fmt::format("{} and supplies {} pages: arrays that were just allocated", text,
                       Si(*faults));
  }
  // They are not counted where times are estimated from samples.
  return text + ": system calls, such as input and output" +
         (faults ? "" : ", or pages of arrays that were just allocated");
}

std::string LimitSentence(const PathAnalysis& path) {
  if (path.limit.IsOfPhases()) return PhasesText(path.limit.phases);
  switch (path.limit.what) {
    case LimitedBy::kUnknown:
      return {};
    case LimitedBy::kWaiting:
      return WaitingSentence(path.waiting);
    case LimitedBy::kKernel:
      return KernelSentence(path);
    case LimitedBy::kMpiWork:
      return MpiWorkText(path);
    case LimitedBy::kBoundIsWrong:
      return LikelyText(path);
    case LimitedBy::kUnexplained:
      return IsUncounted(path) ? OtherWorkText(path.waiting) : UnexplainedText(path);
    case LimitedBy::kPhases:
    case LimitedBy::kResource:
      break;
  }
  const TimeSplit& split = path.split;
  if (!path.limit.beside.empty()) return TogetherText(path);
  return fmt::format("{} limits it: its work needs at least {} of {} ({})",
                     ResourceName(path.limit.resource, path.runtime), Seconds(*split.bound_s),
                     OutsideText(split), Percent(*split.bound_s / split.Usable()));
}

std::string CriticalSentence(const PathAnalysis& path, const CriticalPlace& place) {
  constexpr double kLeastShare = 0.1;
  const bool limits = path.limit.what == LimitedBy::kResource && !path.limit.IsOfPhases() &&
                      IsOfCriticalPath(path.limit.resource);
  if (!limits || !path.runtime.dependences.seconds.as_is) return {};
  if (place.file.empty() || place.Share() < kLeastShare) return {};
  return fmt::format("its critical path spends {} of its cycles at {}:{}",
                     FinePercent(place.Share()), Printable(place.file), place.line);
}

std::vector<std::string> LimitNotes(const JobAnalysis& analysis) {
  bool unexplained = false, counted = true, waits = false, works = false;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    const RuntimeModel& runtime = path.runtime;
    waits = waits || path.waiting.what == WaitingFor::kUnknown;
    works = works || IsUncounted(path);
    if (path.limit.what != LimitedBy::kUnexplained || IsUncounted(path)) continue;
    if (runtime.ceilings.empty()) continue;
    unexplained = true;
    counted = counted && (runtime.ceilings[Index(Shortfall::kIlp)].extent ||
                          runtime.ceilings[Index(Shortfall::kDependences)].extent);
  }
  std::vector<std::string> notes;
  if (waits) {
    notes.emplace_back(
        "a region waits if it has almost no floating-point work, and hardly any traffic for its "
        "time; if it does other work, declare that with ROOF_REGION_OPERATIONS");
  }
  if (works) {
    notes.emplace_back(
        "what has almost no floating-point work, but was seen to run (?), does other work; declare "
        "that with ROOF_REGION_OPERATIONS, in a region of markers");
  }
  if (unexplained) {
    notes.push_back(fmt::format(
        "? and \"not explained\": nothing that was counted causes this time. What is left: "
        "{}mispredicted branches, TLB misses, waiting, other load on the machine",
        counted ? ""
                : "latency and dependences (`roofmark run` follows them where the machine file has "
                  "chains), "));
  }
  return notes;
}

std::string MovesSentence(const RuntimeModel& region) {
  if (!region.attainable || region.binding.empty()) return {};
  std::vector<std::string> moves;
  const auto add = [&moves](const std::string& move, const Value& gain) {
    if (!gain) {
      moves.push_back(move + " saves more than this model can bound");
    } else if (*gain >= kLeastGain) {
      moves.push_back(
          fmt::format("{} makes this region's work at most {} faster", move, GainFactor(*gain)));
    }
  };
  add(fmt::format("moving right (more {}s per byte of DRAM)", region.unit), region.gain_right);
  add("moving up", region.gain_up);
  return fmt::format("{}", fmt::join(moves, ", "));
}

std::string IdleText(const Waiting& waiting) {
  if (!waiting.idle_s) return {};
  return fmt::format("the program's only thread did not run for {}: {}", Seconds(*waiting.idle_s),
                     waiting.had_no_cpu ? "no CPU was free" : "input and output, or sleep");
}

std::string WaitingSentence(const Waiting& waiting) {
  constexpr double kLeastShare = 0.01;
  switch (waiting.what) {
    case WaitingFor::kNothing:
      return {};
    case WaitingFor::kMpi:
      return waiting.openmp_share < kLeastShare
                 ? InsideMpiText(waiting.mpi_share)
                 : InsideMpiText(waiting.mpi_share) + "; " + InOpenMpText(waiting.openmp_share);
    case WaitingFor::kOpenMp:
      return waiting.mpi_share < kLeastShare
                 ? InOpenMpText(waiting.openmp_share)
                 : InOpenMpText(waiting.openmp_share) + "; " + InsideMpiText(waiting.mpi_share);
    case WaitingFor::kMpiUntimed:
      return fmt::format(
          "it waits for MPI, whose time was not measured: {} of the instructions executed in it "
          "are MPI's",
          FinePercent(waiting.mpi_share));
    case WaitingFor::kUnknown:
      break;
  }
  return fmt::format(
      "it waits, or does work that was not counted: its traffic needs {} of its time{}{}",
      FinePercent(*waiting.busy_share), waiting.idle_s ? "; " + IdleText(waiting) : "",
      waiting.uneven
          ? fmt::format("; the slowest rank spends {:.2f}x the mean time", *waiting.uneven)
          : "");
}

}  // namespace roofmark
