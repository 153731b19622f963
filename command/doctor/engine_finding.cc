// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/doctor/environment_findings.h"
#include "command/self_test/child.h"
#include "lib/core/collector_names.h"

namespace roofmark::cli {
namespace {

constexpr char kEngineSection[] = "Other ways to count";

// What is said of one of them where it does not count.
struct EngineWords {
  std::string_view engine;  // ROOFMARK_ENGINE
  std::string_view does, cure, show_more;
};
constexpr EngineWords kValgrind = {
    "valgrind", "counts FLOPs exactly, in a second run (`roofmark run`)",
    "sudo apt install valgrind, and build roofmark with it; or set ROOFMARK_TOOL_DIR",
    "roofmark doctor --self-test --collector counting shows more"};
constexpr EngineWords kNativeEngine = {
    "native", "counts FLOPs exactly, AVX-512 included, faster (`roofmark run --engine native`)",
    "install its package, libroofmark*-native, or build roofmark with Zydis (libzydis-dev)",
    "ROOFMARK_ENGINE=valgrind counts instead"};

// By counting one kernel.
Finding FindOne(Finding finding, const EngineWords& words) {
  finding.section = kEngineSection;
  const std::string show_more(words.show_more);
  const Result<SelfTest> test = SelfTestInChild(std::string(EngineCollector()), "", Extent::kProbe,
                                                std::string(words.engine));
  if (!test) {
    finding.found = "does not run";
    finding.diagnosis = {State::kUnsupported, 0, test.error(), show_more};
    return finding;
  }
  if (!test->engine) {
    finding.found = "is not there";
    finding.diagnosis = {State::kMissing, 0, test->line.substr(0, test->line.find(';')),
                         std::string(words.cure)};
    return finding;
  }
  if (test->checks.empty() || test->CountOff() > 0) {
    finding.found = "counts wrongly";
    finding.diagnosis = {State::kUnsupported, 0, "a kernel of known FLOPs gave another count",
                         show_more};
    return finding;
  }
  finding.found = words.does;
  return finding;
}

}  // namespace

Findings FindEngines() {
  return {FindOne({"counting_engine", "", "counting engine", "", {}}, kValgrind),
          FindOne({"native_engine", "", "native engine", "", {}}, kNativeEngine)};
}

}  // namespace roofmark::cli
