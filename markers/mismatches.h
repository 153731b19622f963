// SPDX-License-Identifier: BSD-3-Clause
//
// ENDs that did not match, each pair of places once.
#ifndef ROOFMARK_MARKERS_MISMATCHES_H_
#define ROOFMARK_MARKERS_MISMATCHES_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace roofmark::markers {

// A marker's place, for sentences; `file` is nullptr where the name was made at run time.
std::string Where(const char* file, uint32_t line);

// An END that did not match, as often as it happened.
struct Mismatch {
  std::string ended, ended_where;  // the END's region and place
  std::string open, open_where;    // the innermost open region then; empty if none was open
  bool closed = false;             // a matching region below was found and closed
  uint64_t times = 1;
};

// Thread-safe; takes a lock and memory.
class Mismatches {
 public:
  static constexpr size_t kMost = 100;  // further ones are left out

  void Add(Mismatch mismatch);
  std::vector<Mismatch> All() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Mismatch> known_;
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_MISMATCHES_H_
