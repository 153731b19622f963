// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_KILLABLE_H_
#define ROOFMARK_TESTS_SUPPORT_KILLABLE_H_

#include <gtest/gtest.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/shared_file.h"

namespace roofmark::test {

// The fixture of tests that kill a marked program. The program counts its visits in a file that is
// shared with the test; its spool is the folder "spool".
class Killable : public testing::Test {
 protected:
  static constexpr size_t kRecordBytes = 4096;

  std::string File(const std::string& name) const { return directory_.File(name); }
  Environment Variables(const std::string& collector) const;
  // A child of this process that prints nothing.
  static pid_t Start(const std::vector<std::string>& command, const Environment& environment);
  // Waits until a word of the record is at least that.
  void Await(size_t word, uint64_t least) const;
  static void Kill(pid_t pid);
  // What `roofmark recover` makes of the folder `from`; `options` are further ones.
  JobProfile Recover(const std::string& roofmark, const std::string& from = "spool",
                     const std::vector<std::string>& options = {}) const;

  TempDir directory_;
  SharedFile shared_{File("record"), kRecordBytes};
  std::atomic<uint64_t>* const record_ = shared_.As<std::atomic<uint64_t>>();
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_KILLABLE_H_
