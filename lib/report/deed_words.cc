// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/deed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lib/core/table.h"
#include "lib/report/advice_words.h"
#include "lib/report/format.h"
#include "lib/report/loop_words.h"

namespace roofmark {
namespace {

std::string ExtentNumber(const Ceiling& ceiling) {
  switch (InfoOf(ceiling.shortfall).extent_kind) {
    case ExtentKind::kShare:
      return FinePercent(*ceiling.extent);
    case ExtentKind::kRest:
      return FinePercent(1 - *ceiling.extent);
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
  std::string number = ceiling.shortfall == Shortfall::kStreams ? StreamsDraw(region.streams)
                                                                : ExtentNumber(ceiling);
  if (ceiling.shortfall == Shortfall::kSimd) {
    number += fmt::format(" of {}", Factor(region.lanes_possible));
  }
  if (ceiling.shortfall == Shortfall::kWriteAllocate && ceiling.gain.most > *ceiling.gain.least) {
    number = "up to " + number;
  }
  return fmt::format(fmt::runtime(InfoOf(ceiling.shortfall).extent), number);
}

// "3.00 ms on rank 1 to 12.7 ms on rank 0": in MPI. Empty where one rank alone is known.
std::string OverRanks(const JobProfile& job, size_t path) {
  const Cell& inside = job.At(path, metric::kMpiNs);
  if (inside.ranks < 2) return {};
  return fmt::format(": {} on rank {} to {} on rank {}",
                     Seconds(static_cast<double>(inside.min) * 1e-9), inside.min_rank,
                     Seconds(static_cast<double>(inside.max) * 1e-9), inside.max_rank);
}

// Why huge pages are a question.
std::string_view WhyAsk(HugePages huge_pages) {
  constexpr Named<HugePages> kWhy[] = {
      {HugePages::kNotKnown, "whether the operating system makes them here was not recorded"},
      {HugePages::kOnDemand, "they may give nothing"},
      {HugePages::kAlready, "the operating system makes them already wherever it can"},
      {HugePages::kNever,
       "here the operating system makes none: an administrator allows them by `echo madvise > "
       "/sys/kernel/mm/transparent_hugepage/enabled`"},
      {HugePages::kOfStatic, "most of the memory is static arrays, which this does not reach"},
      {HugePages::kInFaults,
       "the operating system works much for it, and may work more to supply them"}};
  static_assert(InOrder(kWhy, HugePages::kInFaults));
  return RowOf(kWhy, huge_pages).name;
}

Deed OfMpiWork(const PathAnalysis& path) {
  const TimeSplit& split = path.split;
  return {"Let MPI work less",
          fmt::format("{} of its time: {}", FinePercent(split.inside_mpi_s / split.time_s),
                      WorkOfMpi(path.waiting)),
          {},
          {}};
}

Deed WaitLess(const JobProfile& job, size_t index, const PathAnalysis& path) {
  const TimeSplit& split = path.split;
  constexpr double kLeastShare = 0.01;
  if (path.waiting.mpi_works) {
    return {"Wait less in OpenMP",
            fmt::format("in {} of its time no thread of its teams works",
                        FinePercent(split.in_openmp_s / split.time_s)),
            {},
            {}};
  }
  const std::string mpi =
      fmt::format("{} of its time", FinePercent(path.mpi_share ? *path.mpi_share : 0)) +
      OverRanks(job, index);
  const std::string openmp = fmt::format("in {} of its time no thread of its teams works",
                                         FinePercent(split.in_openmp_s / split.time_s));
  if (split.in_openmp_s < kLeastShare * split.time_s) return {"Wait less in MPI", mpi, {}, {}};
  if (split.inside_mpi_s < kLeastShare * split.time_s) {
    return {"Wait less in OpenMP", openmp, {}, {}};
  }
  return {"Wait less in MPI and OpenMP", fmt::format("in MPI {}; {}", mpi, openmp), {}, {}};
}

Deed OfWaiting(const JobProfile& job, size_t index, const PathAnalysis& path) {
  const Waiting& waiting = path.waiting;
  if (waiting.what == WaitingFor::kMpiUntimed) {
    return {"Wait less in MPI",
            fmt::format("its time was not measured: {} of the instructions are MPI's",
                        FinePercent(waiting.mpi_share)),
            {},
            {}};
  }
  if (waiting.what != WaitingFor::kUnknown) return WaitLess(job, index, path);
  std::string why = fmt::format("or which work was not counted: its traffic needs {} of its time",
                                FinePercent(*waiting.busy_share));
  if (waiting.idle_s) why += "; " + IdleText(waiting);
  if (waiting.uneven) {
    why += fmt::format("; the slowest rank spends {:.2f}x the mean time", *waiting.uneven);
  }
  return {"Find out what it waits for", why, {}, {}, true};
}

Deed OfKernel(const PathAnalysis& path) {
  const std::string share = FinePercent(path.split.in_kernel_s / path.split.time_s);
  if (SuppliesPages(path)) {
    return {"Allocate its arrays once",
            fmt::format("the operating system supplies {} pages in {} of its time",
                        Si(*path.page_faults), share),
            {},
            {}};
  }
  return {"Spend less time in the operating system",
          fmt::format("{} of its time: system calls, such as input and output{}", share,
                      path.page_faults ? "" : ", or pages of new arrays"),
          {},
          {}};
}

Deed OfUnexplained(const PathAnalysis& path) {
  if (IsUncounted(path)) {
    return {"Find out what it works on",
            fmt::format("not floating point, and not counted: its traffic needs {} of its time",
                        FinePercent(*path.waiting.busy_share)),
            {},
            {},
            true};
  }
  return {"Find the cause",
          fmt::format("{} of {} are not explained", Seconds(*path.split.unexplained_s),
                      Seconds(path.split.time_s)),
          {},
          {},
          true};
}

// Of a chain the line that the critical path spends most on, else where the region begins. The name
// of what was found is a place.
std::string PlaceOf(const PathInfo& info, const Advice& advice) {
  constexpr double kLeastShare = 0.1;
  constexpr Shortfall kOfPath[] = {Shortfall::kDependences, Shortfall::kBranches,
                                   Shortfall::kAtomics, Shortfall::kLatency};
  const bool chain =
      advice.kind == AdviceKind::kCure &&
      std::find(std::begin(kOfPath), std::end(kOfPath), advice.shortfall) != std::end(kOfPath);
  const CriticalPlace& critical = info.critical;
  if (chain && !critical.file.empty() && critical.Share() >= kLeastShare) {
    const std::string place = PlaceText(critical.file, critical.line);
    return LeafName(info.path).starts_with(place + " ") ? std::string() : Printable(place);
  }
  if (info.kind == RegionKind::kFound || info.file.empty()) return {};
  return Printable(PlaceText(info.file, info.line));
}

std::string Sentence(const Deed& deed, const std::string& gain) {
  return fmt::format("{} ({}{}{}): {}", deed.deed, deed.why, deed.means.empty() ? "" : "; ",
                     deed.means, gain);
}

}  // namespace

Deed DeedOf(const Ceiling& ceiling, const RuntimeModel& region) {
  const ShortfallInfo& info = InfoOf(ceiling.shortfall);
  const std::string_view deed =
      IsFusedAlready(ceiling) ? "Let additions run beside the fused operations" : info.deed;
  if (ceiling.shortfall == Shortfall::kSmallPages && ceiling.may_give_nothing) {
    return {"Try huge pages",
            Extent(ceiling, region),
            fmt::format("{}; {}", info.means, WhyAsk(region.huge_pages)),
            {}};
  }
  return {std::string(deed), Extent(ceiling, region), std::string(info.means), {}};
}

Deed DeedOf(const Advice& advice, const ReportJob& job) {
  const PathAnalysis& region = job.analysis.paths[advice.path];
  const PathAnalysis& path = region.Advised();
  Deed deed;
  switch (advice.kind) {
    case AdviceKind::kWaiting:
      deed = OfWaiting(job.profile, advice.path, path);
      break;
    case AdviceKind::kKernel:
      deed = OfKernel(path);
      break;
    case AdviceKind::kMpiWork:
      deed = OfMpiWork(path);
      break;
    case AdviceKind::kUnexplained:
      deed = OfUnexplained(path);
      break;
    case AdviceKind::kCure:
      deed = DeedOf(path.runtime.ceilings[Index(advice.shortfall)], path.runtime);
      break;
  }
  deed.place = PlaceOf(job.profile.paths[advice.path], advice);
  if (region.own) deed.why.insert(0, "its own code: ");
  return deed;
}

std::string AdviceSentence(const Ceiling& ceiling, const RuntimeModel& region) {
  const double least = *ceiling.gain.least, most = ceiling.gain.most;
  const std::string gain = most > least * 1.01 && least < most
                               ? fmt::format("{} to {}", GainFactor(least), GainFactor(most))
                               : fmt::format("up to {}", GainFactor(most));
  return Sentence(DeedOf(ceiling, region), fmt::format("this region's work {} faster", gain));
}

std::string AdviceSentence(const Advice& advice, const ReportJob& job) {
  return Sentence(DeedOf(advice, job), "saves " + IntervalText(advice.saves));
}

}  // namespace roofmark
