// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels of known work, run under a collector exactly as an application's regions are, and what it
// counted of them.
#ifndef ROOFMARK_COMMAND_SELF_TEST_SELF_TEST_H_
#define ROOFMARK_COMMAND_SELF_TEST_SELF_TEST_H_

#include <map>
#include <string>
#include <vector>

#include "command/self_test/verdict.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"

namespace roofmark::cli {

struct NotTested {
  std::string metric;  // or several, "a, b"
  Status status = Status::kUnsupported;
  std::string reason;
};

struct SelfTest {
  std::string collector;  // that counted: "perf_event", "counting"; "timer": nothing counted
  std::string line;       // what the library says of it at start
  bool engine = false;    // counts are exact, times are not real
  std::map<std::string, std::string> facts;
  std::vector<Check> checks;
  std::vector<NotTested> not_tested;

  bool Counts() const { return collector != "timer"; }
  size_t CountOff() const;
};

enum class Extent { kProbe, kAll };  // one kernel, or all

// In this process, with the collector that `settings` ask for. Slow under the engine.
SelfTest RunSelfTest(const Settings& settings, Extent extent);

// What `other` has of metrics and exercises that `into` does not have.
void Merge(SelfTest& into, SelfTest other);

std::string SelfTestToJson(const SelfTest& test);
Result<SelfTest> SelfTestFromJson(const std::string& text);

// For people.
std::string SelfTestText(const SelfTest& test);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SELF_TEST_SELF_TEST_H_
