// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COMMAND_SCRIPT_BY_PASS_H_
#define ROOFMARK_TESTS_COMMAND_SCRIPT_BY_PASS_H_

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "lib/core/file.h"

namespace roofmark::test {

// An executable shell script that does `time` in the time pass and `work` in the work pass.
inline void WriteScriptByPass(const std::string& path, const std::string& time,
                              const std::string& work) {
  const std::string text = "#!/bin/sh\nif [ \"$ROOFMARK_COLLECTOR\" != counting ]; then\n" + time +
                           "\nelse\n" + work + "\nfi\n";
  ASSERT_TRUE(WriteFile(path, text, IfExists::kReplace));
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_COMMAND_SCRIPT_BY_PASS_H_
