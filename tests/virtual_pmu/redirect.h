// SPDX-License-Identifier: BSD-3-Clause
//
// Which files of /proc and /sys are the described machine's.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_REDIRECT_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_REDIRECT_H_

#include <string>

namespace vpmu {

// The path to use in place of one given to a system call: in the machine's folder, or itself. The
// callers' stacks may be small: a long path lies on the heap.
class Redirected {
 public:
  explicit Redirected(const char* path);
  const char* path() const { return path_; }

 private:
  const char* path_;
  std::string in_machine_;
};

// For files whose content changes while the machine runs (the paranoid level, CPUs online): a new
// descriptor of a file with the content as of now; -1 for all others.
int OpenLive(const char* path);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_REDIRECT_H_
