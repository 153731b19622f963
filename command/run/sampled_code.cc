// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/sampled_code.h"

#include <fmt/format.h>

#include <span>

#include "command/run/found_files.h"

namespace roofmark::cli {
namespace {

// Returns what is to be said of it, a clause; empty: nothing.
std::string DropIdleAloud(std::span<const CodeOfFile> yields,
                          std::map<uint32_t, Samples>& by_rank) {
  const auto all = static_cast<double>(CountSamples(by_rank));
  uint64_t dropped = 0;
  for (auto& [rank, samples] : by_rank) dropped += DropIdle(yields, samples);
  const double percent = PercentOf(static_cast<double>(dropped), all);
  if (percent < 1) return {};
  return fmt::format(
      "{:.0f} % of the samples are of threads that had nothing to do and gave their CPU away "
      "(sched_yield), and belong to no loop",
      percent);
}

}  // namespace

uint64_t CountSamples(const std::map<uint32_t, Samples>& by_rank) {
  uint64_t samples = 0;
  for (const auto& [rank, one] : by_rank) {
    for (const SampledThread& thread : one.processes.front().threads) samples += thread.samples;
  }
  return samples;
}

std::vector<std::string> SampledCode::Notes() const {
  std::vector<std::string> notes = NotesOf(code, shares);
  if (!idle.empty()) notes.insert(notes.begin(), idle);
  return notes;
}

SampledCode LookAtSamples(const Executed& executed, bool functions,
                          std::map<uint32_t, Samples>& samples) {
  SampledCode sampled;
  sampled.code = FindCode(executed, functions);
  sampled.yields = YieldsIn(sampled.code);
  sampled.idle = DropIdleAloud(sampled.yields, samples);
  sampled.all = MergeSamples(ValuesOf(samples));
  sampled.shares = SamplesIn(sampled.all, executed, sampled.code);
  return sampled;
}

}  // namespace roofmark::cli
