// SPDX-License-Identifier: BSD-3-Clause
//
// What a rank of `dies` has done, in memory that outlives it.
#ifndef ROOFMARK_TESTS_MPI_PROGRAMS_DIES_H_
#define ROOFMARK_TESTS_MPI_PROGRAMS_DIES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace roofmark::test {

struct alignas(64) DeathRecord {
  std::atomic<uint64_t> outer, inner;  // visits whose END has returned
  std::atomic<uint64_t> arrived;       // it has done its share
  std::atomic<uint64_t> died;          // and has come to the place where it dies
  std::atomic<uint64_t> pid;
};
inline constexpr size_t kDeathRecordBytes = 4096;
inline constexpr uint64_t kFlopsPerInner = 7;  // in a visit of "inner", in double precision

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_PROGRAMS_DIES_H_
