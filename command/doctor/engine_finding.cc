// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/doctor/environment_findings.h"
#include "command/self_test/child.h"
#include "lib/core/collector_names.h"

namespace roofmark::cli {
namespace {

constexpr char kEngineSection[] = "Other ways to count";

bool HasAvx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

}  // namespace

// By counting one kernel under it.
Finding FindEngine() {
  Finding finding{"counting_engine", kEngineSection, "counting engine", "counts FLOPs exactly", {}};
  const Result<SelfTest> test = SelfTestInChild(std::string(EngineCollector()), "", Extent::kProbe);
  if (!test) {
    finding.found = "does not run";
    finding.diagnosis = {State::kUnsupported, 0, test.error(),
                         "roofmark doctor --self-test --collector counting shows more"};
    return finding;
  }
  if (!test->engine) {
    finding.found = "is not there";
    finding.diagnosis = {
        State::kMissing, 0, test->line.substr(0, test->line.find(';')),
        "sudo apt install valgrind, and build roofmark with it; or set ROOFMARK_TOOL_DIR"};
    return finding;
  }
  if (test->checks.empty() || test->CountOff() > 0) {
    finding.found = "counts wrongly";
    finding.diagnosis = {State::kUnsupported, 0, "a kernel of known FLOPs gave another count",
                         "roofmark doctor --self-test --collector counting shows more"};
    return finding;
  }
  finding.found = "counts FLOPs exactly, in a second run (`roofmark run`)";
  if (HasAvx512()) {
    finding.found +=
        "; of AVX-512 code the native engine alone (ROOFMARK_ENGINE=native, in builds with Zydis)";
  }
  return finding;
}

}  // namespace roofmark::cli
