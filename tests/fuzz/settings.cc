// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as an environment: variables that end with a zero each.
#include "lib/core/settings.h"

#include <vector>

#include "tests/fuzz/input.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> variables(1);
  for (const char c : fuzz::Text(data, size)) {
    if (c == '\0') {
      variables.emplace_back();
    } else {
      variables.back() += c;
    }
  }
  std::vector<const char*> environment;
  for (const std::string& variable : variables) environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  const ParsedSettings parsed = ParseSettings(environment.data());
  fuzz::Demand(parsed.settings.sample >= 1 && parsed.settings.sample <= 256, "sample");
  for (const auto& [key, value] : parsed.settings.given) {
    // What is taken is taken again.
    const std::string variable = VariableName(key) + "=" + value;
    const char* const alone[] = {variable.c_str(), nullptr};
    fuzz::Demand(ParseSettings(alone).problems.empty(), variable);
  }
  return 0;
}
