// SPDX-License-Identifier: BSD-3-Clause
#include "command/suggest/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/core/terminal_text.h"
#include "lib/profile/region_name.h"
#include "lib/report/format.h"
#include "lib/suggest/function_name.h"

namespace roofmark::cli {
namespace {

using suggest::Candidate;
using suggest::Candidates;
using suggest::Language;
using suggest::Weight;

constexpr size_t kWidth = 100;  // columns of sentences

const PathInfo& InfoOf(const JobProfile& job, const Candidate& candidate) {
  return job.paths[candidate.paths.front()];
}

// Statements that have marks already: their source and first token, and the region's name.
using Marked = std::map<std::pair<const SourceFile*, size_t>, std::string>;

std::string WhyNotInFortran(const PathInfo& info, const std::string& name) {
  return fmt::format(
      "Fortran is not patched: put `use roofmark` into its program unit, `call "
      "roofmark_begin(\"{0}\")` in front of line {1} and its directives, and `call "
      "roofmark_end(\"{0}\")` behind its end",
      name, info.line);
}

Result<suggest::Target> Mark(const PathInfo& info, const std::string& name, SourceFile& source,
                             Marked& marked) {
  if (source.language() == Language::kFortran) return Error{WhyNotInFortran(info, name)};
  if (source.language() == Language::kUnknown) {
    return Error{fmt::format("{} is no source of C or C++ by its name", source.name())};
  }
  const std::string leaf = LeafName(info.path);
  const Result<suggest::Target> target = FindTarget(
      source.structure(), {info.line, suggest::FunctionOf(leaf), suggest::NamesAFunction(leaf)});
  if (!target) return target;
  const auto [other, is_new] = marked.try_emplace({&source, target->first}, name);
  if (!is_new) return Error{fmt::format("it is in what {} marks", other->second)};
  const Result<suggest::Marks> marks =
      MarksFor(source.structure(), *target, source.language(), name);
  if (!marks) {
    marked.erase(other);
    return Error{marks.error()};
  }
  source.Add(*marks);
  return target;
}

std::string Number(double value, Weight weight) {
  return weight == Weight::kTime ? Seconds(value * 1e-9) : Si(value);
}

const char* WeightName(Weight weight) {
  switch (weight) {
    case Weight::kTime:
      return "time";
    case Weight::kInstructions:
      return "instr.";
    case Weight::kFlops:
      return "FLOPs";
  }
  return "";
}

std::string LeafText(const PathInfo& info) { return Printable(LeafName(info.path)); }

std::string Refused(double share, const PathInfo& info, const std::string& why) {
  constexpr size_t kIndent = 10;
  return Wrap(fmt::format("{:>8}  {}: {}", Percent(share), LeafText(info), why), kWidth, kIndent);
}

}  // namespace

std::vector<Proposal> Propose(const JobProfile& job, const Candidates& candidates,
                              Sources& sources) {
  std::vector<Proposal> proposals;
  Marked marked;
  for (const Candidate& candidate : candidates.chosen) {
    Proposal proposal{candidate, "", 0, false, ""};
    const PathInfo& info = InfoOf(job, candidate);
    const Result<SourceFile*> source = sources.Open(info.file);
    if (source) {
      const Result<suggest::Target> target = Mark(info, candidate.name, **source, marked);
      if (target) {
        proposal.file = (*source)->name();
        proposal.line = (*source)->structure().At(target->code).line;
        proposal.is_construct = target->is_construct;
      } else {
        proposal.refused = target.error();
      }
    } else {
      proposal.refused = source.error();
    }
    proposals.push_back(std::move(proposal));
  }
  return proposals;
}

std::string RenderProposals(const JobProfile& job, const Candidates& candidates,
                            const std::vector<Proposal>& proposals, const std::string& ranking) {
  std::string text, refused;
  int rank = 0;
  size_t width = 6;
  for (const Proposal& each : proposals) width = std::max(width, each.candidate.name.size());
  for (const Proposal& each : proposals) {
    const Candidate& candidate = each.candidate;
    if (!each.refused.empty()) {
      refused += Refused(candidate.share, InfoOf(job, candidate), each.refused);
      continue;
    }
    text += fmt::format("{:4} {:>7} {:>9} {:>8}  {}  {}:{}{}\n", ++rank, Percent(candidate.share),
                        Number(candidate.per_entry, candidates.weight),
                        candidate.gain_s ? Seconds(*candidate.gain_s) : "-",
                        PadRight(candidate.name, width), Printable(each.file), each.line,
                        each.is_construct ? " (parallel construct)" : "");
  }
  if (!text.empty()) {
    text = fmt::format("rank {:>7} {:>9} {:>8}  {}  place\n", WeightName(candidates.weight),
                       "per entry", "gain", PadRight("region", width)) +
           text;
  }
  for (const suggest::PassedOver& each : candidates.passed) {
    refused += Refused(each.share, job.paths[each.path], each.why);
  }
  if (!refused.empty()) text += (text.empty() ? "" : "\n") + ("not proposed:\n" + refused);
  return text + "\n" + Wrap(ranking, kWidth, 0);
}

std::vector<std::string> Refusals(const JobProfile& job, const std::vector<Proposal>& proposals) {
  std::vector<std::string> sentences;
  for (const Proposal& each : proposals) {
    if (each.refused.empty()) continue;
    sentences.push_back(
        fmt::format("{} is not marked: {}", LeafText(InfoOf(job, each.candidate)), each.refused));
  }
  return sentences;
}

}  // namespace roofmark::cli
