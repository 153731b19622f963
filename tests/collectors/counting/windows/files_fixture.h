// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel says of a process's memory, made up.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_WINDOWS_FILES_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_WINDOWS_FILES_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "collectors/counting/windows/mappings.h"

namespace roofmark {

struct KernelFiles {
  static inline std::string policy;  // empty: there is no such file
  static inline std::string smaps;
  static inline int smaps_opened = 0, open_files = 0;

  static roof_files Hooks() { return {Open, Read, Close}; }

 private:
  static inline const std::string* file = nullptr;
  static inline size_t at = 0;

  static int Open(const char* path) {
    const bool is_smaps = std::strcmp(path, "/proc/thread-self/smaps") == 0;
    file = is_smaps ? &smaps : &policy;
    smaps_opened += is_smaps ? 1 : 0;
    at = 0;
    if (file->empty()) return -1;
    ++open_files;
    return 7;
  }
  // Never all at once.
  static long Read(int, char* out, size_t bytes) {
    const size_t count = std::min({bytes, file->size() - at, size_t{100}});
    std::copy_n(file->begin() + static_cast<std::ptrdiff_t>(at), count, out);
    at += count;
    return static_cast<long>(count);
  }
  static void Close(int) { --open_files; }
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_WINDOWS_FILES_FIXTURE_H_
