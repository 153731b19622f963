// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/contradictions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "lib/model/advice.h"
#include "lib/report/deed_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/rows.h"

namespace roofmark::test {
namespace {

bool Has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

bool Matches(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex(pattern));
}

// Sentences that name the limit, by the mark that each of them wants in the table.
struct Limiting {
  const char* sentence;  // a regular expression
  const char* mark;      // the same
};
constexpr Limiting kLimiting[] = {
    {"computation .*limits? it", "compute"},
    {"(DRAM|L1|L2|L3) bandwidth.* limits? it", "DRAM|L1|L2|L3"},
    {"chain of dependent operations .*limits? it", "chain"},
    {"(memory latency|misses in flight).* limits? it", "latency"},
    {"is not explained", "\\?"},
};

// What helps the cores, and what helps memory: no advice for one where the other alone limits.
constexpr char kComputeCures[] =
    "^(Vectorise|Fuse multiplications|Avoid divisions|Execute fewer|Unroll|Break the chain)";
constexpr char kMemoryCures[] =
    "^(Prefetch|Read several streams|Place pages|Spread the traffic|Do not fetch|Reuse what|Pad "
    "arrays)";

class Reader {
 public:
  explicit Reader(const Said& said)
      : said_(said),
        lines_(fmt::format("{}", fmt::join(said.lines, "\n"))),
        all_(lines_ + "\n" + fmt::format("{}", fmt::join(said.advice, "\n"))) {}

  std::vector<std::string> Contradictions() {
    Limits();
    Cures();
    Nothings();
    Waits();
    return found_;
  }

 private:
  void Say(const std::string& what) {
    found_.push_back(fmt::format("{} ({}): {}", said_.region, said_.mark, what));
  }

  // "compute limits" beside "DRAM binds"; an explained time that is not explained.
  void Limits() {
    for (const Limiting& limiting : kLimiting) {
      for (const std::string& line : said_.lines) {
        if (!Matches(line, limiting.sentence) || Matches(said_.mark, limiting.mark)) continue;
        Say("the table says otherwise: " + line);
      }
    }
    if (Has(lines_, "is not explained") && Has(lines_, "limits it")) Say("explained and not");
    if (Has(all_, "binds")) Say("something binds beside what limits");
    const bool together = said_.mark.find('+') != said_.mark.npos;
    if (Matches(lines_, "% of its time is limited by")) return;  // phases
    if (together != Has(lines_, "limit it together")) Say("two limits on one side only");
  }

  // "memory limits, only compute optimisations apply".
  void Cures() {
    const bool memory = Matches(said_.mark, "^(DRAM|L1|L2|L3)$"), compute = said_.mark == "compute";
    for (const auto* sentences : {&said_.lines, &said_.advice}) {
      for (const std::string& line : *sentences) {
        if (memory && Matches(line, kComputeCures)) Say("memory limits, and advised is " + line);
        if (compute && Matches(line, kMemoryCures)) Say("computing limits, and advised is " + line);
      }
    }
    if (memory && Has(lines_, "moving up is worth") && !Has(lines_, "moving right")) {
      Say("memory limits, and only moving up is worth anything");
    }
  }

  // "moving right gains nothing", "busiest worker 1.00x".
  void Nothings() {
    if (Matches(all_, "\\b1\\.00x")) Say("a gain or an imbalance of nothing");
    if (Matches(all_, "nothing, moving up gains nothing")) Say("no move gains anything");
    if (Matches(all_, "\\b(nan|inf|-[0-9.]+ (ms|us|s|ns))\\b")) Say("a number that is none");
    const std::regex percent("([0-9]+) ?% of its time");
    for (std::sregex_iterator at(lines_.begin(), lines_.end(), percent), end; at != end; ++at) {
      if (std::stod((*at)[1]) > 100) Say("more than all of its time");
    }
  }

  // Who waits is told to wait less, and nothing about its work.
  void Waits() {
    if (said_.mark != "wait") return;
    if (Has(lines_, "limits it")) Say("it waits, and something else limits it");
    for (const std::string& advice : said_.advice) {
      if (!Matches(advice,
                   "^(Wait less|Find out|Spend less time in the operating system|Allocate)")) {
        Say("it waits: " + advice);
      }
    }
  }

  const Said& said_;
  const std::string lines_, all_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<Said> AllThatIsSaid(const ReportJob& job) {
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  const auto limit = std::find_if(TableValues().begin(), TableValues().end(),
                                  [](const DerivedInfo& info) { return info.name == "limit"; });
  const auto column = static_cast<size_t>(limit - TableValues().begin());
  std::vector<Said> all;
  for (size_t p = 0; p < rows.size(); ++p) {
    all.push_back({job.profile.paths[p].path, rows[p].cells[column], StandingLines(job, p), {}});
  }
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    all[advice.path].advice.push_back(AdviceSentence(advice, job));
  }
  return all;
}

std::vector<std::string> ContradictionsIn(const Said& said) {
  return Reader(said).Contradictions();
}

std::vector<std::string> ContradictionsIn(const ReportJob& job) {
  std::vector<std::string> found;
  for (const Said& said : AllThatIsSaid(job)) {
    for (std::string& one : ContradictionsIn(said)) found.push_back(std::move(one));
  }
  const std::string health = fmt::format("{}", fmt::join(HealthThings(job), "\n"));
  const std::string text = RenderTable({job}, {.width = 80, .detail = Detail::kAll});
  if (Has(health, "do not hold") && Has(text, "What to do first ")) {
    found.push_back("times do not hold, and advice that rests on them is not headed so");
  }
  for (const std::string& line : FirstThings(job, 100)) {
    if (Matches(line, "\\(<?0(\\.[0-9]+)? % of the run\\)")) {
      found.push_back("advice about almost nothing of the run: " + line);
    }
  }
  return found;
}

}  // namespace roofmark::test
