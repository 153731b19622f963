// SPDX-License-Identifier: BSD-3-Clause
//
// Running programs in tests: what they print, how they end, what they leave.
#ifndef ROOFMARK_TESTS_SUPPORT_PROCESS_H_
#define ROOFMARK_TESTS_SUPPORT_PROCESS_H_

#include <map>
#include <string>
#include <vector>

#include "lib/profile/roofline_json.h"

namespace roofmark::test {

// A directory that vanishes with its content.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  // Makes the folders above it, too.
  void Write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

struct Ended {
  int status = -1;  // exit status; 128 + signal if killed
  std::string out, err;
};

// Variables to set; ROOFMARK* of the test's own environment are removed first.
using Environment = std::map<std::string, std::string>;

// Runs `command` (looked up in PATH) in `directory` with no standard input, for at most `seconds`.
Ended Run(const std::vector<std::string>& command, const Environment& environment = {},
          const std::string& directory = ".", int seconds = 300);

// Fails the test and returns an empty file if it cannot be read.
RooflineFile ReadRoofline(const std::string& path);

// The value of a single-rank profile; fails the test if path or metric is missing.
uint64_t Value(const JobProfile& job, const std::string& path, MetricId metric);

std::vector<std::string> ListFiles(const std::string& directory);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_PROCESS_H_
