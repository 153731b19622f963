// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark compare: what changed between runs, region by region, and whether noise explains it.
#include <algorithm>

#include "command/commands.h"
#include "command/compared.h"
#include "command/files.h"
#include "command/output.h"
#include "command/report_files.h"
#include "command/report_style.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> files, renames, rules;
  std::string rename_file;
  ReportFiles out;
  ReportStyle style;
};

// Nothing after saying why.
std::optional<RenameMap> Renames(const CompareOptions& options) {
  RenameMap map;
  for (const std::string& rule : options.renames) {
    if (const Result<bool> added = map.Add(rule); !added) {
      Say(message::kBadRename, rule, added.error());
      return std::nullopt;
    }
  }
  if (options.rename_file.empty()) return map;
  const Result<std::string> text = ReadFile(options.rename_file);
  if (!text) {
    PassOn(text.error());
    return std::nullopt;
  }
  if (const Result<bool> added = map.AddLines(*text); !added) {
    Say(message::kBadRenameFile, options.rename_file, added.error());
    return std::nullopt;
  }
  return map;
}

std::optional<std::vector<ChangeRule>> Rules(const CompareOptions& options) {
  std::vector<ChangeRule> rules;
  for (const std::string& text : options.rules) {
    Result<ChangeRule> rule = ChangeRule::Parse(text);
    if (!rule) {
      Say(message::kBadFailRule, text, rule.error());
      return std::nullopt;
    }
    rules.push_back(std::move(*rule));
  }
  return rules;
}

void SayUnused(const RenameMap& renames, const ReportJob& first) {
  std::vector<std::string> paths;
  for (const PathInfo& info : first.profile.paths) paths.push_back(info.path);
  for (const std::string& old : renames.Unused(paths)) {
    Say(message::kNoRegionToRename, first.name, old);
  }
}

// The status that follows. Each rule's outcome is said.
int JudgeAll(const std::vector<ChangeRule>& rules, const ComparedJobs& jobs) {
  bool broken = false, undecided = false, unknown = false;
  for (const ChangeRule& rule : rules) {
    const RuleResult result = Judge(rule, jobs.comparison);
    PassOn(RuleSentence(rule, result, jobs));
    broken = broken || result.state == RuleState::kBroken;
    undecided = undecided || result.state == RuleState::kUndecided;
    unknown = unknown || result.state == RuleState::kNoRegion;
  }
  if (broken) return kRuleBroken;
  if (unknown) return kUsage;
  return undecided ? kRuleUndecided : 0;
}

// What is worse of two runs' statuses.
int Worse(int a, int b) {
  constexpr int kOrder[] = {0, kRuleUndecided, kUsage, kRuleBroken};
  const auto place = [&](int status) {
    return std::find(std::begin(kOrder), std::end(kOrder), status) - std::begin(kOrder);
  };
  return place(a) > place(b) ? a : b;
}

std::string CsvOf(const std::vector<ComparedJobs>& all) {
  std::string csv = ComparisonCsvHead();
  for (const ComparedJobs& jobs : all) csv += RenderComparisonCsv(jobs);
  return csv;
}

std::string MarkdownOf(const std::vector<ComparedJobs>& all) {
  std::string markdown;
  for (const ComparedJobs& jobs : all) {
    markdown += (markdown.empty() ? "" : "\n") + RenderComparisonMarkdown(jobs);
  }
  return markdown;
}

bool SaveWanted(const CompareOptions& options, const std::vector<ComparedJobs>& all) {
  return SaveReports(options.out, {[&] { return CsvOf(all); }, [&] { return MarkdownOf(all); },
                                   [&] { return RenderComparisonSvg(all, options.out.picture); },
                                   [&] { return RenderComparisonHtml(all); }});
}

int Compare(const CompareOptions& options) {
  if (options.files.size() < 2) {
    Say(message::kNameTwoToCompare);
    return kUsage;
  }
  const auto renames = Renames(options);
  const auto rules = Rules(options);
  if (!renames || !rules) return kUsage;
  const auto jobs = LoadJobs(options.files);
  if (!jobs) return kFailure;
  const ReportJob& first = jobs->front();
  SayUnused(*renames, first);
  const auto always = [&](const RegionChange& region) {
    return std::any_of(rules->begin(), rules->end(),
                       [&](const ChangeRule& rule) { return rule.Names(region); });
  };
  const TextStyle style = Resolve(options.style);
  std::deque<Comparison> comparisons;  // `all` points into it
  std::vector<ComparedJobs> all;
  int status = 0;
  for (size_t i = 1; i < jobs->size(); ++i) {
    const ReportJob& other = (*jobs)[i];
    comparisons.push_back(CompareRuns({first.profile, first.analysis},
                                      {other.profile, other.analysis}, *renames, always));
    all.push_back({first, other, comparisons.back()});
    if (!options.out.ForPrograms()) {
      if (i > 1) Print("\n");
      ShowComparison(all.back(), style);
    }
    status = Worse(status, JudgeAll(*rules, all.back()));
  }
  return SaveWanted(options, all) ? status : kFailure;
}

}  // namespace

void AddCompareCommand(CommandLine& line) {
  auto options = std::make_shared<CompareOptions>();
  const Command command = line.Add(
      "compare",
      "What changed between runs, region by region, and whether noise explains it\n"
      "  roofmark compare old.json new.json --fail-on 'solve/*: time > +5%'\n"
      "Exit status: 0; 1 a failure of this command; 2 wrong usage, or --fail-on names no region;\n"
      "3 a change breaks a rule of --fail-on; 4 a rule cannot be decided: without repeated runs, "
      "or "
      "where times of a run do not hold (other programs on its CPUs)");
  command.Value("FILE", options->files, "Roofline files: the first is held against each other one")
      .Required();
  command
      .Value("--rename", options->renames,
             "OLD=NEW: the region OLD of the first file, and those inside it, are NEW in others")
      .Shown("OLD=NEW")
      .OneEachTime();
  command.Value("--rename-file", options->rename_file, "The same, one in each line").Shown("FILE");
  command
      .Value("--fail-on", options->rules,
             "End with status 3 if a region changes so, beyond noise: 'solve/*: time > +5%'; also "
             "gflops, intensity, efficiency, and < -5%")
      .Shown("RULE")
      .OneEachTime();
  DeclareTables(command, options->out);
  DeclarePictures(command, options->out);
  DeclareAspect(command, options->out);
  DeclareNoTable(command, options->out);
  DeclareStyle(command, options->style, options->out,
               "Show also regions that take below 1 % of both runs");
  DeclareForce(command, options->out);
  command.Runs([options] { return Compare(*options); });
}

}  // namespace roofmark::cli
