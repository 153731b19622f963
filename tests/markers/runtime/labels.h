// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_LABELS_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_LABELS_H_

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "tests/support/process.h"

namespace roofmark::test {

// Where the symbols of a program are, by nm.
inline std::map<std::string, uint64_t> LabelsOf(const std::string& program) {
  std::istringstream lines(test::Run({"nm", program}).out);
  std::map<std::string, uint64_t> labels;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string place, kind, name;
    words >> place >> kind >> name;
    if (!name.empty()) labels[name] = std::stoull(place, nullptr, 16);
  }
  return labels;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_LABELS_H_
