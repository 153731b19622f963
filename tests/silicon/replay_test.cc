// SPDX-License-Identifier: BSD-3-Clause
//
// Every bundle in bundles/: a machine that somebody had, played by the virtual PMU. What its events
// counted of kernels of known work is retired once more, and what the collector makes of it is held
// against the known work. NAME.known lists what that silicon counts otherwise, with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/encode.h"
#include "command/self_test/laboratory.h"
#include "markers/runtime/collectors.h"
#include "virtual_pmu.h"

namespace roofmark::cli {
namespace {

using nlohmann::json;

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(BUNDLES)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Count {
  std::string device;
  int cpu;
  uint64_t config, value;
};

// What is retired of an event counts for those with more bits in their unit mask, too.
bool Sees(uint64_t config, uint64_t retired) {
  constexpr uint64_t kUnitMask = 0xff00;
  const uint64_t unit = retired & kUnitMask;
  return unit != 0 && ((config ^ retired) & ~kUnitMask) == 0 && (config & unit) == unit;
}

// To be retired one after the other, so that each event ends at its total.
std::vector<Count> Untangled(std::vector<Count> counts) {
  std::stable_sort(counts.begin(), counts.end(), [](const Count& a, const Count& b) {
    return std::popcount(a.config) < std::popcount(b.config);
  });
  for (size_t i = 0; i < counts.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (counts[i].device != counts[j].device || counts[i].cpu != counts[j].cpu) continue;
      if (Sees(counts[i].config, counts[j].config)) {
        counts[i].value -= std::min(counts[i].value, counts[j].value);
      }
    }
  }
  return counts;
}

Known KnownOf(const json& exercise) {
  const bool flops = exercise["family"] == "flops";
  Known known = flops ? KnownFlops({}) : Known();
  for (const auto& [metric, range] : exercise["known"].items()) {
    known[metric] = {range[0].get<double>(), range[1].get<double>()};
  }
  return known;
}

class Silicon : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::ifstream file(std::string(BUNDLES) + "/" + GetParam() + ".json");
    bundle_ = json::parse(file, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(bundle_.is_object());
    root_ = std::string(FIXTURES) + "/" + GetParam();
    ASSERT_EQ(vpmu_use(root_.c_str()), 0) << root_;
    vpmu_set_privileged(1);
    vpmu_freeze();
  }
  void TearDown() override { vpmu_use(nullptr); }

  bool Counts() const {
    return std::any_of(bundle_["exercises"].begin(), bundle_["exercises"].end(),
                       [](const json& exercise) { return !exercise["totals"].empty(); });
  }

  std::vector<Count> CountsOf(const json& exercise) const {
    std::vector<Count> counts;
    for (const json& total : exercise["totals"]) {
      const json& event = bundle_["events"][total["event"].get<size_t>()];
      const auto value = total["value"].get<int64_t>();
      if (value <= 0) continue;
      counts.push_back({event["device"], total["cpu"].is_null() ? -1 : total["cpu"].get<int>(),
                        event["config"][0], static_cast<uint64_t>(value)});
    }
    return Untangled(std::move(counts));
  }

  int PackageOf(int cpu) const {
    std::ifstream file(root_ + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                       "/topology/physical_package_id");
    int package = 0;
    file >> package;
    return package;
  }

  void Retire(const std::vector<Count>& counts) const {
    for (const Count& each : counts) {
      if (each.cpu < 0) {
        vpmu_retire(0, each.config, each.value);
      } else {
        EXPECT_EQ(vpmu_device(PackageOf(each.cpu), each.device.c_str(), each.config, each.value), 0)
            << each.device;
      }
    }
    vpmu_advance(1'000'000);
  }

  std::vector<Check> Replay(const std::string& group) const {
    Settings settings;
    settings.collector = "perf_event";
    settings.group = group;
    runtime::Choice choice = runtime::ChooseCollectors(settings);
    if (choice.counter == nullptr) return {};
    choice.counter->SetCounting(roofmark::Extent::kAll);
    Laboratory laboratory(*choice.counter, choice.sources, 0);
    for (const json& exercise : bundle_["exercises"]) {
      laboratory.Run({*ParseFamily(exercise["family"].get<std::string>()), exercise["exercise"],
                      KnownOf(exercise), 0, 1},
                     [&, counts = CountsOf(exercise)](uint64_t repeats) {
                       if (repeats > 0) Retire(counts);
                     });
    }
    return laboratory.Judge();
  }

  // "exercise<TAB>metric<TAB>reason" in each line.
  std::set<std::pair<std::string, std::string>> KnownDeviations() const {
    std::set<std::pair<std::string, std::string>> known;
    std::ifstream file(std::string(BUNDLES) + "/" + GetParam() + ".known");
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      std::string exercise, metric, reason;
      std::getline(fields, exercise, '\t');
      std::getline(fields, metric, '\t');
      std::getline(fields, reason);
      EXPECT_FALSE(reason.empty()) << line << ": three fields, separated by tabs";
      known.insert({exercise, metric});
    }
    return known;
  }

  json bundle_;
  std::string root_;
};

// A CPU that had no table then may have one now.
TEST_P(Silicon, CpuIsFound) {
  if (bundle_["cpu"].is_null()) return;
  const auto facts = events::ReadCpuFacts(root_);
  ASSERT_TRUE(facts) << facts.error();
  const auto cpu = events::IdentifyCpu(*facts);
  ASSERT_TRUE(cpu) << cpu.error();
  EXPECT_EQ(events::CpuKey(*cpu), bundle_["cpu"]);
}

TEST_P(Silicon, EventsAreEncodedAsThere) {
  const events::Sysfs sysfs(root_);
  for (const json& event : bundle_["events"]) {
    const auto encoding = events::EncodeUserEvent(sysfs, event["name"]);
    ASSERT_TRUE(encoding) << event["name"] << ": " << encoding.error();
    ASSERT_EQ(encoding->events.size(), 1u) << event["name"];
    const events::EncodedEvent& here = encoding->events[0];
    EXPECT_EQ(here.type, event["type"]) << event["name"];
    EXPECT_EQ(here.config, event["config"].get<events::ConfigWords>()) << event["name"];
    EXPECT_EQ(here.cpus, event["cpus"].get<std::set<uint32_t>>()) << event["name"];
  }
}

TEST_P(Silicon, KernelsCountWhatIsKnown) {
  const auto deviations = KnownDeviations();
  size_t told = 0;
  for (const char* group : {"auto", "mem", "cache"}) {
    for (const Check& check : Replay(group)) {
      told += check.Ratio().has_value();
      const bool listed = deviations.count({check.exercise, check.metric}) > 0;
      EXPECT_EQ(check.verdict == Verdict::kOff, listed)
          << check.exercise << ", " << check.metric << " (" << group << "): " << check.counted
          << " counted, " << check.known.least << " to " << check.known.most << " known; "
          << check.hint;
    }
  }
  EXPECT_EQ(told > 0, Counts() && !bundle_["cpu"].is_null());
}

// A machine on which nothing opened.
TEST_P(Silicon, WithoutCountersThereIsAReason) {
  if (Counts()) return;
  Settings settings;
  settings.collector = "perf_event";
  const runtime::Choice choice = runtime::ChooseCollectors(settings);
  EXPECT_EQ(choice.counter, nullptr);
  EXPECT_NE(choice.error, "");
}

// Letters, digits and underscores.
std::string NameOfTest(const testing::TestParamInfo<std::string>& bundle) {
  std::string name = bundle.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Bundles, Silicon, testing::ValuesIn(Names()), NameOfTest);

}  // namespace
}  // namespace roofmark::cli
