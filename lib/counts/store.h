// SPDX-License-Identifier: BSD-3-Clause
//
// Where a collector keeps its counts so that they outlive the process.
#ifndef ROOFMARK_LIB_COUNTS_STORE_H_
#define ROOFMARK_LIB_COUNTS_STORE_H_

#include <cstddef>
#include <cstdint>

#include "lib/counts/kept_plan.h"

namespace roofmark::counts {

// The outermost visit of a path, at its end.
struct FinishedVisit {
  uint32_t path;
  uint32_t parent;  // of the path; 0: none
  uint32_t record;  // thread record of the markers whose visit it is
  uint64_t visits;  // of that record in that path, this one included
};

// Why what is kept cannot be believed.
enum class Lack : uint32_t {
  kWork,  // some of the program's work was not counted
  kRoom,  // there was no room for some of the counts
};

// Any thread.
class CountStore {
 public:
  // Once, before the first rows. False if nothing can be kept.
  virtual bool Describe(const KeptPlan& plan) noexcept = 0;
  // Zeroed rows (kept_row.h); nullptr without room. Takes a lock.
  virtual void* Rows(size_t rows, size_t columns) noexcept = 0;
  // From now on something is missing in the rows.
  virtual void Lacks(Lack what) noexcept = 0;

 protected:
  ~CountStore() = default;
};

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_STORE_H_
