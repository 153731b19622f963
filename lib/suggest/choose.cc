// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/core/unique_names.h"
#include "lib/model/advice.h"
#include "lib/profile/region_name.h"
#include "lib/profile/whole.h"
#include "lib/suggest/function_name.h"

namespace roofmark::suggest {
namespace {

constexpr double kNearlyAll = 0.9;

// Of the mean rank; 0 where it is not known.
double WeightOf(const JobProfile& job, size_t path, Weight weight) {
  if (weight != Weight::kFlops) {
    const Cell& cell = job.At(path, weight == Weight::kTime ? MetricId{metric::kTimeNs}
                                                            : MetricId{metric::kInstructions});
    return cell.ranks == 0 ? 0 : cell.mean;
  }
  const Value flops = TotalFlops(job, path);
  const Cell& visits = job.At(path, metric::kVisits);
  return flops && visits.ranks > 0 ? *flops / visits.ranks : 0;
}

double Least(const ChooseOptions& options, Weight weight) {
  switch (weight) {
    case Weight::kTime:
      return options.least_us * 1e3;
    case Weight::kInstructions:
      return options.least_us * kInstructionsPerUs;
    case Weight::kFlops:
      return options.least_us * kFlopsPerUs;
  }
  return 0;
}

// Paths by their parents.
struct Tree {
  std::vector<std::vector<size_t>> below;
  std::vector<std::optional<size_t>> parents;
  std::vector<size_t> roots;
};

Tree TreeOf(const JobProfile& job) {
  std::map<std::string_view, size_t> by_path;
  for (size_t i = 0; i < job.paths.size(); ++i) by_path[job.paths[i].path] = i;
  Tree tree;
  tree.below.resize(job.paths.size());
  tree.parents.resize(job.paths.size());
  for (size_t i = 0; i < job.paths.size(); ++i) {
    const auto parent = by_path.find(ParentPath(job.paths[i].path));
    if (parent == by_path.end() || parent->second == i) {
      tree.roots.push_back(i);
    } else {
      tree.below[parent->second].push_back(i);
      tree.parents[i] = parent->second;
    }
  }
  return tree;
}

class Chooser {
 public:
  Chooser(const JobProfile& job, const Tree& tree, const ChooseOptions& options)
      : job_(job), tree_(tree), options_(options) {}

  // False: nothing that was found has any.
  bool Weigh(Weight weight) {
    weight_ = weight;
    bool any = false;
    for (size_t i = 0; i < job_.paths.size(); ++i) {
      weights_.push_back(WeightOf(job_, i, weight));
      any |= Found(i) && weights_[i] > 0;
    }
    if (!any) weights_.clear();
    if (any) all_ = WholeWeight();
    return any;
  }

  Candidates Choose() {
    Candidates result;
    result.weight = weight_;
    for (const size_t root : tree_.roots) {
      for (const size_t path : Cut(root, result.passed)) Add(path, result);
    }
    return result;
  }

 private:
  bool Found(size_t path) const { return job_.paths[path].kind == RegionKind::kFound; }
  double ShareOf(size_t path) const { return weights_[path] / all_; }

  // The program's where it is known.
  double WholeWeight() const {
    double all = 0;
    for (const size_t root : tree_.roots) all += weights_[root];
    const JobProfile whole = WholeOf(job_);
    for (size_t i = 0; i < whole.paths.size(); ++i) {
      if (whole.paths[i].path == kProgramName) all = std::max(all, WeightOf(whole, i, weight_));
    }
    return all;
  }
  double PerEntry(size_t path) const {
    const Cell& visits = job_.At(path, metric::kVisits);
    return visits.ranks > 0 && visits.mean > 0 ? weights_[path] / visits.mean : 0;
  }

  // Why it is no candidate whatever is below it; empty if it may be one.
  std::string WhyNot(size_t path) const {
    const PathInfo& info = job_.paths[path];
    if (!Found(path)) return "it is marked already";
    if (info.file.empty() || info.line == 0) {
      return "its source is not known: compile it with -g if it is yours, else mark who calls it";
    }
    if (LeafName(info.path) == "main()") return "it is the whole program, which reports have";
    if (PerEntry(path) < Least(options_, weight_)) {
      return fmt::format("it takes less than {:g} us per entry", options_.least_us);
    }
    if (tree_.parents[path] && !Found(*tree_.parents[path]) &&
        weights_[path] >= kNearlyAll * weights_[*tree_.parents[path]]) {
      return fmt::format("the region {} around it has nearly all of its work",
                         job_.paths[*tree_.parents[path]].path);
    }
    return "";
  }

  bool InSameFunction(size_t a, size_t b) const {
    return FunctionOf(LeafName(job_.paths[a].path)) == FunctionOf(LeafName(job_.paths[b].path));
  }

  // Its work is that of the candidates below it, which say more.
  bool IsFrame(size_t path, const std::vector<size_t>& below) const {
    double held = 0;
    bool elsewhere = false;
    for (const size_t each : below) {
      held += weights_[each];
      elsewhere |= !InSameFunction(path, each);
    }
    if (below.empty() || held < kNearlyAll * weights_[path]) return false;
    if (NamesAFunction(LeafName(job_.paths[path].path))) return true;
    const bool whole = ShareOf(path) > kNearlyAll;
    return below.size() > 1 ? whole || elsewhere : whole && elsewhere;
  }

  // The candidates of the tree below a path, itself included.
  std::vector<size_t> Cut(size_t path, std::vector<PassedOver>& passed) {
    const bool enough = ShareOf(path) >= options_.least_share;
    const std::string why = WhyNot(path);
    const bool closed = Found(path) && options_.in_parallel(job_.paths[path]);
    std::vector<size_t> below;
    std::vector<PassedOver> passed_below;
    if (!closed) {
      for (const size_t child : tree_.below[path]) {
        const std::vector<size_t> cut = Cut(child, passed_below);
        below.insert(below.end(), cut.begin(), cut.end());
      }
    }
    if (why.empty() && enough && !IsFrame(path, below)) return {path};
    if (!why.empty() && enough && Found(path) && below.empty()) {
      passed.push_back({path, ShareOf(path), why});
    } else {
      passed.insert(passed.end(), passed_below.begin(), passed_below.end());
    }
    return below;
  }

  void Add(size_t path, Candidates& result) const {
    const PathInfo& info = job_.paths[path];
    for (Candidate& each : result.chosen) {
      const PathInfo& other = job_.paths[each.paths.front()];
      if (other.file != info.file || other.line != info.line) continue;
      double visits = 0;
      each.paths.push_back(path);
      each.weight += weights_[path];
      each.share += ShareOf(path);
      for (const size_t one : each.paths) visits += job_.At(one, metric::kVisits).mean;
      each.per_entry = each.weight / visits;
      return;
    }
    result.chosen.push_back({{path}, weights_[path], ShareOf(path), PerEntry(path), {}, ""});
  }

  const JobProfile& job_;
  const Tree& tree_;
  const ChooseOptions& options_;
  Weight weight_ = Weight::kTime;
  double all_ = 0;
  std::vector<double> weights_;
};

// The seconds that advice is expected to save in a path, or, where advice is left to the paths
// below it, in those.
double GainBelow(const Tree& tree, const std::map<size_t, double>& gains, size_t path) {
  const auto own = gains.find(path);
  if (own != gains.end()) return own->second;
  double sum = 0;
  for (const size_t each : tree.below[path]) sum += GainBelow(tree, gains, each);
  return sum;
}

void AddGains(const JobProfile& job, const Tree& tree, const JobAnalysis& analysis,
              Candidates& candidates) {
  std::map<size_t, double> gains;
  for (const Advice& advice : AdviceFor(job, analysis)) {
    double& gain = gains[advice.path];
    gain = std::max(gain, advice.expected_s);
  }
  for (Candidate& each : candidates.chosen) {
    each.gain_s = 0;
    for (const size_t path : each.paths) *each.gain_s += GainBelow(tree, gains, path);
    candidates.by_gain |= *each.gain_s > 0;
  }
}

std::string Clean(const std::string& name) {
  std::string clean;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x80 || c == '_' || c == '~' || (c >= '0' && c <= '9') ||
                       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    clean += plain ? c : '_';
  }
  return clean.empty() ? "loop" : clean;
}

// That of the function; where it has several loops, with their lines.
void Name(const JobProfile& job, std::vector<Candidate>& chosen) {
  std::map<std::string, int> times;
  std::vector<std::string> names;
  for (const Candidate& each : chosen) {
    const std::string leaf = LeafName(job.paths[each.paths.front()].path);
    names.push_back(Clean(RegionNameOf(FunctionOf(leaf))));
    ++times[names.back()];
  }
  UniqueNames unique;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const PathInfo& info = job.paths[chosen[i].paths.front()];
    std::string name = names[i];
    if (times[name] > 1) name += fmt::format(":{}", info.line);
    chosen[i].name = unique.Take(name);
  }
}

void Sort(Candidates& candidates) {
  std::stable_sort(candidates.chosen.begin(), candidates.chosen.end(),
                   [&](const Candidate& a, const Candidate& b) {
                     const double gain_a = candidates.by_gain ? *a.gain_s : 0;
                     const double gain_b = candidates.by_gain ? *b.gain_s : 0;
                     return std::pair(gain_a, a.weight) > std::pair(gain_b, b.weight);
                   });
  std::stable_sort(candidates.passed.begin(), candidates.passed.end(),
                   [](const PassedOver& a, const PassedOver& b) { return a.share > b.share; });
}

}  // namespace

Result<Candidates> Choose(const JobProfile& job, const JobAnalysis* analysis,
                          const ChooseOptions& options) {
  if (std::none_of(job.paths.begin(), job.paths.end(),
                   [](const PathInfo& info) { return info.kind == RegionKind::kFound; })) {
    return Error{
        "it has no loops or functions that were found: record it by `roofmark run "
        "--auto`, or with ROOFMARK_NESTS"};
  }
  const Tree tree = TreeOf(job);
  Chooser chooser(job, tree, options);
  if (!chooser.Weigh(Weight::kTime) && !chooser.Weigh(Weight::kInstructions) &&
      !chooser.Weigh(Weight::kFlops)) {
    return Error{"it has neither times, instructions nor FLOPs of what was found"};
  }
  Candidates candidates = chooser.Choose();
  if (analysis != nullptr && analysis->roofs && candidates.weight == Weight::kTime) {
    AddGains(job, tree, *analysis, candidates);
  }
  Name(job, candidates.chosen);
  Sort(candidates);
  return candidates;
}

}  // namespace roofmark::suggest
