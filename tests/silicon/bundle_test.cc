// SPDX-License-Identifier: BSD-3-Clause
//
// What a bundle holds, as the command writes it and as bundles/ has it: the schema, and nothing
// that tells whose machine it was.
#include "command/bundle/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/lib/profile/schema_check.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names, addresses and serial numbers of this machine and its user.
std::vector<std::string> Secrets() {
  std::vector<std::string> secrets;
  const auto add = [&](std::string text) {
    text = text.substr(0, text.find_first_of("\n\\"));
    // Some are placeholders, or words of every machine.
    if (text.size() >= 6 && text != "00:00:00:00:00:00" && text.find(' ') == text.npos) {
      secrets.push_back(text);
    }
  };
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  add(host);
  if (const passwd* user = getpwuid(getuid())) {
    add(user->pw_dir);
    add(user->pw_gecos);
  }
  add(fs::current_path());
  add(TextOf("/etc/machine-id"));
  add(TextOf("/proc/sys/kernel/random/boot_id"));
  std::error_code error;
  for (const auto& net : fs::directory_iterator("/sys/class/net", error)) {
    add(TextOf(net.path() / "address"));
  }
  for (const auto& dmi : fs::directory_iterator("/sys/class/dmi/id", error)) {
    const std::string name = dmi.path().filename();
    if (name.ends_with("_serial") || name.ends_with("_uuid") || name.ends_with("_tag")) {
      add(TextOf(dmi.path()));
    }
  }
  return secrets;
}

class BundleOfCommand : public ::testing::Test {
 protected:
  test::Ended Run(test::Environment more, std::vector<std::string> arguments) {
    more["LD_PRELOAD"] = VIRTUAL_PMU;
    more["VPMU_MACHINE"] = VPMU_MACHINES "/zen3";
    more["VPMU_PRIVILEGED"] = "1";
    more["HOME"] = directory_.File("home-of-jane");
    more["USER"] = more["LOGNAME"] = "jane.doe";
    more["XDG_CACHE_HOME"] = directory_.File("home-of-jane");
    std::vector<std::string> command = {ROOFMARK, "doctor"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return test::Run(command, more, directory_.path(), 600);
  }
  // On the virtual PMU the kernels retire nothing, so every count is off: status 1.
  test::Ended Write(const std::string& file) {
    return Run({}, {"--self-test", "--collector", "perf_event", "--bundle", file});
  }
  test::TempDir directory_;
};

TEST_F(BundleOfCommand, HoldsNothingPrivateAndReplacesNoFile) {
  const std::string kept = directory_.File("their-bundle.json");
  const std::string path = directory_.File("their-bundle.1.json");
  directory_.Write("their-bundle.json", "mine");
  const test::Ended ended = Write(kept);
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_EQ(TextOf(kept), "mine");
  EXPECT_THAT(ended.out, HasSubstr("their-bundle.1.json"));
  EXPECT_THAT(ended.out, HasSubstr(" holds:\n  CPU "));
  EXPECT_THAT(ended.out, HasSubstr("read it before you give it away"));
  const std::string text = TextOf(path);
  ASSERT_GT(text.size(), 10000u);
  if (test::HavePythonJsonschema()) {
    EXPECT_TRUE(test::MatchesSchema(text, "bundle.schema.json"));
  }
  const json bundle = json::parse(text);
  EXPECT_EQ(bundle["cpu"], "zen3");
  EXPECT_GT(bundle["events"].size(), 5u);
  EXPECT_GT(bundle["exercises"].size(), 20u);
  EXPECT_FALSE(bundle["exercises"][0]["totals"].empty());
  std::vector<std::string> secrets = Secrets();
  secrets.insert(secrets.end(), {"jane", directory_.path(), "their-bundle", "/home", ROOFMARK});
  for (const std::string& secret : secrets) EXPECT_THAT(text, Not(HasSubstr(secret)));
}

TEST_F(BundleOfCommand, BadNamesAreSaidBeforeTheTest) {
  for (const char* name : {"/nowhere/at/all.json", "-"}) {
    const test::Ended ended = Write(name);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "") << name;
    EXPECT_THAT(ended.err, HasSubstr(name));
  }
  EXPECT_EQ(Run({}, {"--bundle", "x.json"}).status, 2) << "it needs --self-test";
}

TEST(Bundles, TheRecordedOnesMatchTheSchemaAndTellNobody) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(BUNDLES)) {
    if (entry.path().extension() != ".json") continue;
    ++seen;
    const std::string text = TextOf(entry.path());
    EXPECT_TRUE(test::MatchesSchema(text, "bundle.schema.json")) << entry.path();
    EXPECT_THAT(text, Not(HasSubstr("/home"))) << entry.path();
    EXPECT_THAT(text, Not(HasSubstr("/root"))) << entry.path();
  }
  EXPECT_GE(seen, 2u);
}

TEST(Bundle, KernelsVersionIsNumbersOnly) {
  EXPECT_EQ(PlainVersion("5.14.0-427.el9-our-lab.x86_64"), "5.14.0");
  EXPECT_EQ(PlainVersion("6.1.our-lab"), "6.1");
  EXPECT_EQ(PlainVersion("6.18.4"), "6.18.4");
}

TEST(Bundle, CpuinfoWithoutWhatIsNotNamed) {
  EXPECT_EQ(WithoutPrivateFields("processor\t: 0\nflags\t\t: fpu sse\nSerial\t\t: 1234\n\n"
                                 "processor\t: 1\nflags\t\t: fpu sse\n\nHardware\t: ours\n"),
            "processor\t: 0\nflags\t\t: fpu sse\n\nprocessor\t: 1\n\n");
}

TEST(Bundle, OnlyListedFilesAreRead) {
  const test::TempDir root;
  root.Write("sys/bus/event_source/devices/cpu/type", "4\n");
  root.Write("sys/bus/event_source/devices/cpu/uevent", "SECRET=1\n");
  root.Write("sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
  root.Write("sys/bus/event_source/devices/cpu/events/odd", "a\x01b\n");
  root.Write("sys/devices/system/cpu/cpu0/topology/ppin", "0xdeadbeef\n");
  root.Write("sys/devices/system/cpu/cpufreq/secret", "1\n");
  const SystemFiles files = ReadSystemFiles(root.path());
  EXPECT_EQ(files.content.size(), 2u);
  EXPECT_EQ(files.content.at("/sys/bus/event_source/devices/cpu/format/event"), "config:0-7");
  EXPECT_EQ(files.left_out,
            std::vector<std::string>{"/sys/bus/event_source/devices/cpu/events/odd"});
}

TEST(Bundle, LeavesNameNoSingleCpu) {
  for (const CpuidLeaf& leaf : ReadCpuid()) {
    EXPECT_TRUE(leaf.leaf != 3 && leaf.leaf != 0xb && leaf.leaf != 0x1f && leaf.leaf != 0x8000001e)
        << leaf.leaf;
    if (leaf.leaf == 1) {
      EXPECT_EQ(leaf.ebx >> 24, 0u);
    }
  }
}

}  // namespace
}  // namespace roofmark::cli
