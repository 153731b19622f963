// SPDX-License-Identifier: BSD-3-Clause
//
// Random sequences of markers on several threads, interrupted by a signal handler that has markers,
// against an interpreter that follows the rules of roofmark.h. Seeds take turns at
// ROOFMARK_REGIONS. ROOFMARK_TEST_SEEDS=N tries N seeds.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <map>
#include <sstream>

#include "lib/core/messages/recording.h"
#include "lib/core/region_choice.h"
#include "tests/markers/programs/sequence.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Act;
using test::Ended;
using test::Step;
using testing::_;

using Path = std::vector<uint32_t>;  // names, outermost first

struct Counts {
  uint64_t visits = 0, flops = 0, operations = 0, pauses = 0;

  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.visits << " visits, " << counts.flops << " FLOPs, " << counts.operations
             << " operations, " << counts.pauses << " pauses";
}

// Where a thread is: among all regions, and among those that are recorded.
struct Place {
  Path all, recorded;
};

// What all threads share.
struct World {
  RegionChoice choice;
  Place team;  // where the main thread is
  uint32_t pauses_open = 0, pauses_begun = 0;
  uint64_t mismatches = 0;
  std::map<Path, Counts> counts;  // of regions that were visited or begun

  bool paused() const { return pauses_open > 0; }
};

// One thread, step by step.
class Interpreter {
 public:
  Interpreter(World& world, bool is_main) : world_(world), is_main_(is_main) {}

  void Do(const Step& step) {
    const bool is_off = world_.choice.LeavesOut(test::kNames[step.name]);
    switch (step.act) {
      case Act::kBegin:
      case Act::kBeginNamed:
        return is_off ? void() : Begin(step.name);
      case Act::kEnd:
      case Act::kEndNamed:
        return is_off ? void() : End(step.name);
      case Act::kWork:
        return Declare(&Counts::flops, step.amount);
      case Act::kOperations:
        return Declare(&Counts::operations, step.amount);
      case Act::kPause:
        if (world_.pauses_open++ == 0) ++world_.pauses_begun;
        return;
      case Act::kResume:
        if (world_.pauses_open > 0) --world_.pauses_open;
        return;
    }
  }

  // The thread ends: what it left open is closed.
  void Finish() {
    NotePauses();
    while (!stack_.empty()) Pop();
  }

 private:
  struct Open {
    uint32_t name;
    Place place;
    bool recorded;
  };

  Place Here() const { return stack_.empty() ? world_.team : stack_.back().place; }

  // A pause counts for the regions that are open at the thread's next marker.
  void NotePauses() {
    const uint32_t missed = world_.pauses_begun - pauses_seen_;
    if (!has_record_) pauses_seen_ = world_.pauses_begun;
    has_record_ = true;
    if (pauses_seen_ == world_.pauses_begun) return;
    pauses_seen_ = world_.pauses_begun;
    for (const Open& open : stack_) {
      if (open.recorded) world_.counts[open.place.recorded].pauses += missed;
    }
  }

  // A region inside itself is no other.
  static void Enter(uint32_t name, Path& path) {
    path.erase(std::find(path.begin(), path.end(), name), path.end());
    path.push_back(name);
  }

  bool Chooses(const Path& path) const {
    std::vector<std::string> names;
    for (const uint32_t name : path) names.emplace_back(test::kNames[name]);
    return world_.choice.Chooses(names);
  }

  void Begin(uint32_t name) {
    NotePauses();
    Place place = Here();
    if (!world_.paused()) Enter(name, place.all);
    const bool recorded = !world_.paused() && Chooses(place.all);
    if (recorded) {
      Enter(name, place.recorded);
      world_.counts[place.recorded];
    }
    stack_.push_back({name, place, recorded});
    if (is_main_) world_.team = place;
  }

  void End(uint32_t name) {
    NotePauses();
    const auto is_it = [name](const Open& open) { return open.name == name; };
    const bool matches = !stack_.empty() && is_it(stack_.back());
    if (!matches) ++world_.mismatches;
    if (std::none_of(stack_.begin(), stack_.end(), is_it)) return;
    while (!is_it(stack_.back())) Pop();
    Pop();
  }

  void Pop() {
    const Open open = stack_.back();
    stack_.pop_back();
    if (is_main_) world_.team = stack_.empty() ? Place() : stack_.back().place;
    if (open.recorded) ++world_.counts[open.place.recorded].visits;
  }

  void Declare(uint64_t Counts::*what, uint64_t amount) {
    if (world_.paused()) return;
    // Of the region and of all around it.
    for (Path path = Here().recorded; !path.empty(); path.pop_back()) {
      world_.counts[path].*what += amount;
    }
  }

  World& world_;
  const bool is_main_;
  bool has_record_ = false;
  uint32_t pauses_seen_ = 0;
  std::vector<Open> stack_;
};

// What a seed sets ROOFMARK_REGIONS to; the handler's region is always in.
std::string RegionsOf(uint32_t seed) {
  constexpr const char* kChoices[] = {
      "", "-b", "-a/b,-*/e", "a/*,-e,handler", "b,handler", "*,-a,a/b/*", "*,-/a,-c\\/d/*,handler"};
  return kChoices[seed % std::size(kChoices)];
}

World Interpreted(const test::Sequence& sequence, const std::string& regions) {
  World world;
  if (!regions.empty()) world.choice = *RegionChoice::Parse(regions);
  Interpreter main(world, true);
  std::vector<Interpreter> workers(test::kWorkers, Interpreter(world, false));
  for (uint32_t round = 0; round < test::kRounds; ++round) {
    for (const Step& step : sequence.main[round]) main.Do(step);
    // Nothing that a worker does concerns another one.
    for (uint32_t worker = 0; worker < test::kWorkers; ++worker) {
      for (const Step& step : sequence.workers[worker][round]) workers[worker].Do(step);
    }
  }
  for (Interpreter& worker : workers) worker.Finish();
  main.Finish();
  return world;
}

std::string Text(const Path& path) {
  std::string text;
  for (const uint32_t name : path) {
    text = text.empty() ? EscapeRegionName(test::kNames[name]) : JoinPath(text, test::kNames[name]);
  }
  return text;
}

uint64_t Sum(const JobProfile& job, size_t row, MetricId metric) {
  return static_cast<uint64_t>(job.At(row, metric).Sum());
}

using ByPath = std::map<std::string, Counts>;

struct Recorded {
  ByPath counts;  // without the handler's regions
  uint64_t mismatches = 0, declined = 0;
  uint64_t handlers_visits = 0, handlers_bytes = 0;
};

Recorded Read(const JobProfile& job) {
  Recorded recorded;
  for (size_t row = 0; row < job.paths.size(); ++row) {
    const std::string& path = job.paths[row].path;
    if (LeafName(path) == test::kHandlerName) {
      recorded.handlers_visits += Sum(job, row, metric::kVisits);
      recorded.handlers_bytes += Sum(job, row, metric::kDeclaredBytes);
      continue;
    }
    recorded.counts[path] = {Sum(job, row, metric::kVisits), Sum(job, row, metric::kDeclaredFlops),
                             Sum(job, row, metric::kDeclaredOperations),
                             Sum(job, row, metric::kPauses)};
  }
  for (const std::string& warning : job.run.warnings) {
    if (const auto declined = test::ValuesIn(warning, InWords(message::kCallsHadNoEffect, _))) {
      recorded.declined = std::stoull(declined->at(0));
    }
    for (const std::string& mismatch : {InWords(message::kEndWithoutRegion, _, _, _),
                                        InWords(message::kEndOfOther, _, _, _, _, _),
                                        InWords(message::kEndClosedOthers, _, _, _, _, _)}) {
      const auto values = test::ValuesIn(warning, mismatch);
      if (!values) continue;
      recorded.mismatches += values->at(2) == "once" ? 1 : std::stoull(values->at(2));
    }
  }
  return recorded;
}

std::string Differences(const ByPath& recorded, const ByPath& expected) {
  std::ostringstream text;
  for (const auto& [path, counts] : expected) {
    const auto found = recorded.find(path);
    const Counts got = found == recorded.end() ? Counts() : found->second;
    if (!(got == counts)) text << path << ": " << got << "; expected " << counts << "\n";
  }
  for (const auto& [path, counts] : recorded) {
    if (!expected.contains(path)) text << path << ": " << counts << "; not expected\n";
  }
  return text.str();
}

class Sequences : public testing::Test {
 protected:
  void Check(uint32_t seed) {
    const std::string output = directory_.File("run.json");
    const std::string regions = RegionsOf(seed);
    test::Environment environment = {{"ROOFMARK_COLLECTOR", "timer"},
                                     {"ROOFMARK_OUTPUT", output},
                                     {"ROOFMARK_SPOOL", directory_.File("spool")}};
    if (!regions.empty()) environment["ROOFMARK_REGIONS"] = regions;
    const Ended ended =
        test::Run({SEQUENCES, std::to_string(seed)}, environment, directory_.path(), 120);
    uint64_t handled = 0, doubtful = 0;
    ASSERT_EQ(
        sscanf(ended.out.c_str(), "handled %" SCNu64 " doubtful %" SCNu64, &handled, &doubtful), 2)
        << "status " << ended.status << ", " << ended.out << ended.err;
    const Recorded recorded = Read(test::ReadRoofline(output).job);
    unlink(output.c_str());
    const World world = Interpreted(test::SequenceOf(seed), regions);
    ByPath expected;
    for (const auto& [path, counts] : world.counts) expected[Text(path)] = counts;
    EXPECT_EQ(Differences(recorded.counts, expected), "");
    EXPECT_EQ(recorded.mismatches, world.mismatches);
    // A handler's markers have an effect, all of them, or none.
    EXPECT_EQ(recorded.declined % test::kHandlerCalls, 0u);
    const uint64_t known = recorded.handlers_visits + recorded.declined / test::kHandlerCalls;
    EXPECT_LE(known, handled);
    EXPECT_GE(known + doubtful, handled);
    EXPECT_LE(recorded.handlers_bytes, recorded.handlers_visits * test::kHandlerBytes);
    EXPECT_GE(recorded.handlers_bytes + doubtful * test::kHandlerBytes,
              recorded.handlers_visits * test::kHandlerBytes);
    handled_ += handled - doubtful;
  }

  const test::TempDir directory_;
  uint64_t handled_ = 0;
};

TEST_F(Sequences, AreRecordedAsTheRulesSay) {
  const char* seeds = std::getenv("ROOFMARK_TEST_SEEDS");
  const uint32_t end = seeds == nullptr ? 14 : static_cast<uint32_t>(std::atol(seeds));
  for (uint32_t seed = 1; seed <= end; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", regions " + RegionsOf(seed));
    Check(seed);
  }
  EXPECT_GT(handled_, 0u);
}

}  // namespace
}  // namespace roofmark
