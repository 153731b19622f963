// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/warnings.h"

#include <fmt/format.h>

#include "lib/core/inside.h"
#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "markers/missed.h"
#include "markers/recorder.h"

namespace roofmark::runtime {
namespace {

using markers::Recorder;

std::string HowOften(uint64_t times) {
  return times == 1 ? "once" : fmt::format("{} times", times);
}

std::string Describe(const markers::Mismatch& mismatch) {
  const std::string often = HowOften(mismatch.times);
  if (mismatch.open.empty()) {
    return InWords(message::kEndWithoutRegion, mismatch.ended, mismatch.ended_where, often);
  }
  return mismatch.closed ? InWords(message::kEndClosedOthers, mismatch.ended, mismatch.ended_where,
                                   often, mismatch.open, mismatch.open_where)
                         : InWords(message::kEndOfOther, mismatch.ended, mismatch.ended_where,
                                   often, mismatch.open, mismatch.open_where);
}

void AddRefusals(const Recorder& recorder, std::vector<std::string>& warnings) {
  if (const uint64_t visits = recorder.refused(markers::Refusal::kPaths)) {
    warnings.push_back(InWords(message::kTooManyRegions, visits, markers::kMaxPaths - 1));
  }
  if (const uint64_t visits = recorder.refused(markers::Refusal::kNesting)) {
    warnings.push_back(InWords(message::kNestedTooDeep, visits, markers::kMaxNames,
                               limits::kPathBytes, markers::ThreadRecord::kMaxDepth));
  }
  if (const uint64_t visits = recorder.refused(markers::Refusal::kMemory)) {
    warnings.push_back(InWords(message::kNoMemoryForVisits, visits));
  }
  if (const uint64_t visits = recorder.went_back()) {
    warnings.push_back(InWords(message::kClocksDisagree, visits));
  }
  if (const uint64_t declined = Inside::Declined()) {
    warnings.push_back(InWords(message::kCallsHadNoEffect, declined));
  }
  if (recorder.misses_ends()) warnings.push_back(InWords(message::kNoThreadKey));
}

}  // namespace

std::string RegionsInChildren() {
  const markers::InChildren missed = markers::Missed::OfChildren();
  if (missed.processes == 0) return {};
  return InWords(message::kRegionsInChildren, missed.processes,
                 missed.processes == 1 ? "process" : "processes", missed.region);
}

std::string WhyNothingIsChosen(const Process& self) {
  constexpr size_t kListed = 8;
  Recorder& recorder = Recorder::Get();
  if (self.settings.regions.empty() || recorder.paths().Count() > 0) return {};
  const markers::Selection::LeftOut left_out = recorder.selection().WhatIsLeftOut(kListed);
  if (left_out.count == 0) return {};
  const size_t more = left_out.count - left_out.some.size();
  const bool alone = self.job ? self.job->ranks == 1 : self.launcher.ranks.value_or(1) == 1;
  return InWords(message::kAllRegionsLeftOut, self.settings.regions,
                 alone ? "the program" : "a process of the program", fmt::join(left_out.some, ", "),
                 more == 0 ? "" : fmt::format(" and {} more", more));
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
    warnings.push_back(until == Until::kNow     ? InWords(message::kRegionIsOpen, name)
                       : self.ended_in_finalize ? InWords(message::kOpenInFinalize, name)
                                                : InWords(message::kOpenRegionClosed, name));
  }
  AddRefusals(recorder, warnings);
  if (std::string nothing = WhyNothingIsChosen(self); !nothing.empty()) {
    warnings.push_back(std::move(nothing));
  }
  if (std::string children = RegionsInChildren(); !children.empty()) {
    warnings.push_back(std::move(children));
  }
  return warnings;
}

}  // namespace roofmark::runtime
