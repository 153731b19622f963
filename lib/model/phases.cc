// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/phases.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "lib/model/own_body.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

constexpr double kMostOfIts = 1 - kOneKind;
constexpr std::string_view kNothingKnown = "?";

// Of what nothing is known of, and of what nothing explains, a report says the same.
Phase PhaseOf(const Limit& limit, double share) {
  if (limit.Mark().empty()) return {LimitedBy::kUnknown, {}, {}, std::string(kNothingKnown), share};
  LimitedBy what = limit.what;
  if (limit.Mark() == kNothingKnown) what = LimitedBy::kUnexplained;
  return {what, limit.resource, limit.beside, std::string(limit.Mark()), share};
}

void Add(const Phase& more, std::vector<Phase>& phases) {
  const auto same = std::find_if(phases.begin(), phases.end(), [&](const Phase& phase) {
    return phase.mark == more.mark && phase.what == more.what;
  });
  if (same == phases.end()) {
    phases.push_back(more);
  } else {
    same->share += more.share;
  }
}

// So that their shares add up to 1.
void ShareOut(std::vector<Phase>& phases) {
  const double all = std::accumulate(phases.begin(), phases.end(), 0.0,
                                     [](double sum, const Phase& p) { return sum + p.share; });
  if (all <= 0) return phases.clear();
  for (Phase& phase : phases) phase.share /= all;
}

// By share; equals by name, so that they are equal on every machine.
bool IsBefore(const Phase& a, const Phase& b) {
  return a.share != b.share ? a.share > b.share : a.mark < b.mark;
}

void GatherSmallOnes(std::vector<Phase>& phases) {
  Phase other = {.mark = std::string(kOtherPhases)};
  std::erase_if(phases, [&other](const Phase& phase) {
    if (phase.share >= kLeastPhase) return false;
    other.share += phase.share;
    return true;
  });
  constexpr double kLeastOther = 0.005;  // what rounds to no percent is not worth a word
  if (other.share >= kLeastOther) phases.push_back(std::move(other));
  ShareOut(phases);
}

std::vector<std::vector<size_t>> Inner(std::span<const size_t> around) {
  std::vector<std::vector<size_t>> inner(around.size());
  for (size_t i = 0; i < around.size(); ++i) {
    if (around[i] != kOutermost) inner[around[i]].push_back(i);
  }
  return inner;
}

double TimeIn(const std::vector<size_t>& inner, std::span<const Nest> nests) {
  return std::accumulate(inner.begin(), inner.end(), 0.0,
                         [&](double sum, size_t i) { return sum + nests[i].time_ns; });
}

// What the own code of a region does is no row of the report, which would say why it is doubtful:
// a wait of unknown cause, or a bound above the time, is nothing known.
Limit LimitOfOwnCode(const PathAnalysis& own) {
  const bool doubtful =
      own.waiting.what == WaitingFor::kUnknown || own.limit.what == LimitedBy::kBoundIsWrong;
  return doubtful ? Limit{.what = LimitedBy::kUnexplained} : own.limit;
}

void SetLimit(Limit limit, std::shared_ptr<const PathAnalysis> own, PathAnalysis& path) {
  path.limit = std::move(limit);
  if (!path.limit.IsOfPhases()) return;
  path.own = std::move(own);
  for (Ceiling& ceiling : path.runtime.ceilings) ceiling.rank = 0;
  KeepKind(path.limit.Kind(), path.verdict);
}

double RankTimes(const JobProfile& job, size_t path) {
  return job.At(path, metric::kTimeNs).SumAsDouble();
}

// The rows of a report: the program and what lies outside of all regions, where these are known,
// then the regions.
class Rows {
 public:
  Rows(const JobProfile& job, JobAnalysis& analysis) : job_(job), whole_(WholeOf(job)) {
    first_ = whole_.paths.size();
    if (first_ == kWholeRows) {
      constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);
      constexpr auto kOutside = static_cast<size_t>(WholeRow::kOutside);
      Take(kOutermost, whole_, kProgram, analysis.whole[kProgram]);
      Take(0, whole_, kOutside, analysis.whole[kOutside]);
    }
    const std::vector<size_t> around = PathsAround(job);
    for (size_t p = 0; p < job.paths.size(); ++p) {
      const size_t outer = around[p] != kOutermost ? around[p] + first_
                           : first_ > 0            ? 0
                                                   : kOutermost;
      Take(outer, job, p, analysis.paths[p]);
    }
    inner_ = Inner(around_);
  }

  // Of those that are the sum of others.
  void AnalyzeOwnCode(const AnalyzeOne& analyze) {
    std::vector<NestedPath> sums;
    for (size_t i = first_; i < nests_.size(); ++i) {
      nests_[i].body = nests_[i].limit;
      if (!IsSum(i)) continue;
      sums.push_back({i - first_, inner_[i]});
      for (size_t& each : sums.back().inner) each -= first_;
    }
    const JobProfile own = OwnBodiesOf(job_, sums);
    for (size_t s = 0; s < sums.size(); ++s) {
      const size_t i = sums[s].path + first_;
      own_[i] = std::make_shared<const PathAnalysis>(analyze(own, s));
      nests_[i].body = LimitOfOwnCode(*own_[i]);
    }
  }

  void SetLimits() {
    const std::vector<std::vector<Phase>> phases = PhasesOf(nests_);
    for (size_t i = 0; i < nests_.size(); ++i) {
      if (IsSum(i)) SetLimit(LimitOfPhases(nests_[i].limit, phases[i]), own_[i], *paths_[i]);
    }
  }

 private:
  void Take(size_t around, const JobProfile& job, size_t path, PathAnalysis& analysis) {
    nests_.push_back({around, RankTimes(job, path), analysis.limit, {}});
    around_.push_back(around);
    paths_.push_back(&analysis);
    own_.emplace_back();
  }

  bool IsSum(size_t i) const { return TimeIn(inner_[i], nests_) > kMostOfIts * nests_[i].time_ns; }

  const JobProfile& job_;
  const JobProfile whole_;
  size_t first_ = 0;  // of the regions
  std::vector<Nest> nests_;
  std::vector<size_t> around_;
  std::vector<std::vector<size_t>> inner_;
  std::vector<PathAnalysis*> paths_;
  std::vector<std::shared_ptr<const PathAnalysis>> own_;
};

}  // namespace

std::vector<std::vector<Phase>> PhasesOf(std::span<const Nest> nests) {
  std::vector<size_t> around;
  for (const Nest& nest : nests) around.push_back(nest.around);
  const std::vector<std::vector<size_t>> inner = Inner(around);
  std::vector<std::vector<Phase>> all(nests.size());
  for (size_t i = nests.size(); i-- > 0;) {
    const double own_ns = std::max(0.0, nests[i].time_ns - TimeIn(inner[i], nests));
    const Limit& body = inner[i].empty() ? nests[i].limit : nests[i].body;
    if (own_ns > 0) all[i].push_back(PhaseOf(body, own_ns));
    for (const size_t each : inner[i]) {
      for (Phase phase : all[each]) {
        phase.share *= nests[each].time_ns;
        Add(phase, all[i]);
      }
    }
    ShareOut(all[i]);
  }
  return all;
}

Limit LimitOfPhases(const Limit& limit, std::vector<Phase> phases) {
  std::vector<Phase> kinds;
  for (Phase& phase : phases) {
    if (phase.what == LimitedBy::kUnknown && phase.share >= kOneKind) return limit;
    if (phase.what == LimitedBy::kUnknown) phase.what = LimitedBy::kUnexplained;
    Add(phase, kinds);
  }
  if (kinds.empty()) return limit;
  std::sort(kinds.begin(), kinds.end(), IsBefore);
  const Phase first = kinds[0];
  if (first.share >= kOneKind && first.mark == limit.Mark()) return limit;
  GatherSmallOnes(kinds);
  Limit result = {first.what, first.resource, first.beside, first.mark, std::move(kinds)};
  if (first.share < kOneKind) {
    result = {LimitedBy::kPhases,
              {},
              {},
              first.mark + "/" + result.phases[1].mark,
              std::move(result.phases)};
  }
  return result;
}

void LimitByPhases(const JobProfile& job, const AnalyzeOne& analyze, JobAnalysis& analysis) {
  if (job.paths.empty()) return;
  Rows rows(job, analysis);
  rows.AnalyzeOwnCode(analyze);
  rows.SetLimits();
}

}  // namespace roofmark
