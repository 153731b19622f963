// SPDX-License-Identifier: BSD-3-Clause
//
// The files of /sys and /proc that tell a program which counters, CPUs, caches and memory nodes
// there are. A list names what is read; nothing else is.
#ifndef ROOFMARK_COMMAND_BUNDLE_SYSTEM_FILES_H_
#define ROOFMARK_COMMAND_BUNDLE_SYSTEM_FILES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark::cli {

struct SystemFiles {
  std::map<std::string, std::string> content;  // by full path; one line feed at the end is cut
  std::vector<std::string> left_out;           // longer than such a file is, or no plain text
};

// `root` is put before /proc and /sys; tests use it.
SystemFiles ReadSystemFiles(const std::string& root = "");

// Only the fields that name CPU and features; those of features (long, and alike) of the first CPU
// only.
std::string WithoutPrivateFields(std::string_view cpuinfo);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_BUNDLE_SYSTEM_FILES_H_
