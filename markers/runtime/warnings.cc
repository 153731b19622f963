// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/warnings.h"

#include <fmt/format.h>

#include "lib/core/inside.h"
#include "lib/core/log.h"
#include "markers/recorder.h"

namespace roofmark::runtime {
namespace {

using markers::Recorder;

std::string Describe(const markers::Mismatch& mismatch) {
  const std::string open =
      mismatch.open.empty()
          ? std::string("no region was open")
          : fmt::format("region \"{}\", begun at {}, was open", mismatch.open, mismatch.open_where);
  return fmt::format("end of region \"{}\" at {} does not match: {} ({}; {} time{})",
                     mismatch.ended, mismatch.ended_where, open,
                     mismatch.closed ? "the regions above it were closed" : "it was ignored",
                     mismatch.times, mismatch.times == 1 ? "" : "s");
}

void AddRefusals(const Recorder& recorder, std::vector<std::string>& warnings) {
  const struct {
    markers::Refusal why;
    std::string text;
  } refusals[] = {
      {markers::Refusal::kPaths,
       fmt::format("there are {} regions already, counted by their place in others",
                   markers::kMaxPaths - 1)},
      {markers::Refusal::kNesting,
       fmt::format("regions were nested deeper than {} names, {} bytes of names, or {} visits",
                   markers::kMaxNames, limits::kPathBytes, markers::ThreadRecord::kMaxDepth)},
      {markers::Refusal::kMemory, "there was not enough memory"},
  };
  for (const auto& [why, text] : refusals) {
    if (const uint64_t visits = recorder.refused(why)) {
      warnings.push_back(fmt::format("{} visits were not recorded: {}", visits, text));
    }
  }
  if (const uint64_t visits = recorder.went_back()) {
    warnings.push_back(fmt::format(
        "{} visits ended before they began: the time-stamp counters of this node's CPUs disagree, "
        "and the kernel did not notice. Times of threads that moved between CPUs are wrong; bind "
        "the threads",
        visits));
  }
  if (const uint64_t declined = Inside::Declined()) {
    warnings.push_back(fmt::format(
        "{} calls of markers had no effect: a signal handler, or another callback, made "
        "them while roofmark worked on the same thread",
        declined));
  }
  if (recorder.misses_ends()) {
    warnings.push_back(
        "the process had no thread-specific key left for roofmark: what a thread left open when it "
        "ended was closed later");
  }
}

}  // namespace

std::string WhyNothingIsChosen(const Process& self) {
  constexpr size_t kListed = 8;
  Recorder& recorder = Recorder::Get();
  if (self.settings.regions.empty() || recorder.paths().Count() > 0) return {};
  const markers::Selection::LeftOut left_out = recorder.selection().WhatIsLeftOut(kListed);
  if (left_out.count == 0) return {};
  const size_t more = left_out.count - left_out.some.size();
  const bool alone = self.job ? self.job->ranks == 1 : self.launcher.ranks.value_or(1) == 1;
  return fmt::format(
      "ROOFMARK_REGIONS={} leaves out all regions that {} entered: {}{}; choose by these names, or "
      "leave ROOFMARK_REGIONS out",
      self.settings.regions, alone ? "the program" : "a process of the program",
      fmt::join(left_out.some, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

std::vector<std::string> Warnings(const Process& self, const std::vector<std::string>& still_open,
                                  Until until) {
  Recorder& recorder = Recorder::Get();
  std::vector<std::string> warnings;
  const std::string complaints = ComplaintsAsLines();
  for (size_t at = 0; at < complaints.size();) {
    const size_t end = complaints.find('\n', at);
    warnings.push_back(complaints.substr(at, end - at));
    at = end + 1;
  }
  for (const markers::Mismatch& mismatch : recorder.mismatches().All()) {
    warnings.push_back(Describe(mismatch));
  }
  for (const std::string& name : still_open) {
    warnings.push_back(fmt::format(
        "region \"{}\" was still open when the profile was made; {}", name,
        until == Until::kEnd ? "it was closed there" : "its visit counts up to that moment"));
  }
  AddRefusals(recorder, warnings);
  if (std::string nothing = WhyNothingIsChosen(self); !nothing.empty()) {
    warnings.push_back(std::move(nothing));
  }
  return warnings;
}

}  // namespace roofmark::runtime
