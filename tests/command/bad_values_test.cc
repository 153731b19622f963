// SPDX-License-Identifier: BSD-3-Clause
//
// Every option of every command with values that it cannot have. The options are those that the
// commands declare: one that is added and stands in no table here fails the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "command/commands.h"
#include "command/output.h"
#include "command/run/settings.h"
#include "lib/core/settings.h"

namespace roofmark::cli {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Bad = std::vector<std::string>;

const Bad kNoCount = {"-1", "0", "2.5", "many", "1e300", "5s"};
const Bad kNoNumber = {"-1", "many", "1e300"};

// By the option's long name. Values that are words are tried of themselves, and so is an empty one.
const std::map<std::string, Bad>& BadValues() {
  static const auto& values = *new std::map<std::string, Bad>{
      {"--adapters", {"foo", "likwid,,nvtx"}},
      {"--aspect", {"4", "4:0", "1:9", "9:1", "4:3:2", "-4:3", "a:b"}},
      {"--bundle", {"x.svg"}},
      {"--cache", {"L1:48", "L9:48K:12", "L1:-48K:12", "many", "most:L3", "L1:99999999999G:1"}},
      {"--csv", {"x.json"}},
      {"--depth", kNoCount},
      {"--fail-on", {"solve", "solve: time", "solve: speed > +5%"}},
      {"--groups", {"nonsense", "dp"}},
      {"--html", {"x.svg", "x.PDF"}},
      {"--interval", {"-1", "0", "many", "1e300"}},
      {"--json", {"x.html"}},
      {"--least", kNoNumber},
      {"--markdown", {"x.html"}},
      {"--most", kNoCount},
      {"--output", {"x.png"}},
      {"--pdf", {"x.svg", "x.png"}},
      {"--png", {"x.jpg", "x.pdf"}},
      {"--regions", {",", "solve/", "[a"}},
      {"--rename", {"solve", "=", "a="}},
      {"--repeat", kNoCount},
      {"--sample", {"-1", "0", "3", "512", "2.5", "many"}},
      {"--svg", {"x.png", "x.pdf"}},
      {"--visits", {"foo", "first:", "first:-1", "every:0", "3"}},
      {"--width", {"-1", "0", "75", "2.5", "many", "1e300", "5s", "5mm", "2000mm", "mm", "-85mm"}},
      {"--work-limit", {"soon", "-5s", "0s", "5x"}},
      {"--workdir", {"/no/such/folder"}},
  };
  return values;
}

// Any text may be right: what it names is looked up.
constexpr const char* kNames[] = {"--against", "--compare", "--cpu",     "--job",
                                  "--machine", "--parts",   "--program", "--rename-file",
                                  "--samples", "--show",    "--source",  "--topology"};

struct Said {
  int status;
  std::string err;
};

Said Parse(const std::vector<std::string>& words) {
  CommandLine line("About.", "1.2");
  AddCommands(line);
  std::vector<const char*> arguments = {"roofmark"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  testing::internal::CaptureStderr();
  const int status = line.Parse(static_cast<int>(arguments.size()), arguments.data());
  return {status, testing::internal::GetCapturedStderr()};
}

std::vector<CommandPage> Pages() {
  CommandLine line("About.", "1.2");
  AddCommands(line);
  return line.Pages();
}

// The command with what it requires, and with one option.
std::vector<std::string> With(const CommandPage& page, const std::vector<std::string>& option) {
  std::vector<std::string> words = {page.name};
  words.insert(words.end(), option.begin(), option.end());
  if (page.name == "run") {
    words.insert(words.end(), {"--no-report", "--", "/no/such/program"});
    return words;
  }
  for (const OptionPage& other : page.options) {
    if (!other.required || other.names.back() == option[0]) continue;
    if (!other.positional) words.push_back(other.names.back());
    words.insert(words.end(), other.repeated ? 2 : 1, "/no/such/file");
  }
  return words;
}

void ExpectRefused(const CommandPage& page, const OptionPage& option, const std::string& value) {
  const std::string& name = option.names.back();
  const std::string what = page.name + " " + name + " '" + value + "'";
  const Said said = option.optional_value ? Parse(With(page, {name + "=" + value}))
                                          : Parse(With(page, {name, value}));
  EXPECT_EQ(said.status, kUsage) << what << ": " << said.err;
  EXPECT_THAT(said.err, AnyOf(HasSubstr(name), HasSubstr(option.names.front()))) << what;
  EXPECT_THAT(said.err, Not(HasSubstr("Could not convert"))) << what;
  EXPECT_THAT(said.err, Not(HasSubstr("/no/such/program"))) << what << " was found too late";
}

TEST(BadValues, OfEveryOptionAreRefusedBeforeAnythingIsDone) {
  for (const CommandPage& page : Pages()) {
    for (const OptionPage& option : page.options) {
      if (page.name.empty() || option.positional || option.value.empty()) continue;
      const std::string& name = option.names.back();
      const bool may_be_left_out = option.optional_value || option.value.starts_with("[");
      if (!may_be_left_out) ExpectRefused(page, option, "");
      if (!option.words.empty()) {
        ExpectRefused(page, option, "nonsense");
        continue;
      }
      const auto bad = BadValues().find(name);
      if (bad != BadValues().end()) {
        for (const std::string& value : bad->second) ExpectRefused(page, option, value);
        continue;
      }
      EXPECT_NE(std::find(std::begin(kNames), std::end(kNames), name), std::end(kNames))
          << page.name << " " << name << " stands in no table of this test";
    }
  }
}

// Variables of any text are checked by those who open what it names.
constexpr std::string_view kAnyText[] = {"events", "package_events", "output", "spool",
                                         "machine_dir"};

TEST(BadValues, OfEveryVariableAreRefusedBeforeAnythingIsDone) {
  for (const SettingInfo& info : AllSettings()) {
    const char* bad = info.key == "regions" ? "solve//mul" : "no such value";
    const std::string variable = VariableName(info.key) + "=" + bad;
    const char* environment[] = {variable.c_str(), nullptr};
    RunOptions options;
    const SettingsPlan plan = PlanSettings(environment, options);
    const bool any =
        std::find(std::begin(kAnyText), std::end(kAnyText), info.key) != std::end(kAnyText);
    EXPECT_EQ(plan.refused, !any) << variable;
    if (any) continue;
    ASSERT_EQ(plan.sentences.size(), 1u) << variable;
    EXPECT_THAT(plan.sentences[0], HasSubstr(variable + " cannot be used: "));
    EXPECT_THAT(plan.sentences[0], HasSubstr("it takes " + std::string(info.values)));
  }
}

// An option, a variable and a part of ROOFMARK say the same of the same value.
TEST(BadValues, TheMessageSaysWhatWouldBeRight) {
  RunOptions options;
  options.cache = "L1:48";
  constexpr char kWhy[] =
      " cannot be used: L1 ways: '', expected a whole number 1..1024; it takes "
      "L1:48K:12,L2:2M:16,L3:32M:16";
  EXPECT_EQ(BadValue(options), std::string("--cache L1:48") + kWhy);
  const char* environment[] = {"ROOFMARK_CACHE=L1:48", nullptr};
  RunOptions none;
  EXPECT_THAT(PlanSettings(environment, none).sentences,
              testing::ElementsAre(std::string("ROOFMARK_CACHE=L1:48") + kWhy));
  const char* combined[] = {"ROOFMARK=visits=foo;count=flops", nullptr};
  EXPECT_THAT(PlanSettings(combined, none).sentences,
              testing::ElementsAre(HasSubstr("`visits=foo` in ROOFMARK cannot be used: it takes")));
}

TEST(BadValues, AnEmptyVariableIsNamedAndNotUsed) {
  const char* environment[] = {"ROOFMARK_VISITS=", nullptr};
  RunOptions options;
  const SettingsPlan plan = PlanSettings(environment, options);
  EXPECT_FALSE(plan.refused);
  EXPECT_THAT(plan.sentences, testing::ElementsAre(HasSubstr("ROOFMARK_VISITS is malformed")));
}

TEST(BadValues, WhatTheDocumentsNameIsRight) {
  RunOptions options;
  options.cache = "most:L3:11585K";
  options.visits = "first:20";
  options.regions = "solve/*,-halo";
  options.sample = 16;
  EXPECT_THAT(BadValue(options), IsEmpty());
}

}  // namespace
}  // namespace roofmark::cli
