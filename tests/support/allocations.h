// SPDX-License-Identifier: BSD-3-Clause
//
// What C++ allocates in a program that is built with allocations.cc; memory of C is left out.
#ifndef ROOFMARK_TESTS_SUPPORT_ALLOCATIONS_H_
#define ROOFMARK_TESTS_SUPPORT_ALLOCATIONS_H_

#include <cstddef>

namespace roofmark::test {

size_t LiveBytes();
// The most since WatchPeak(), or since the start.
size_t PeakBytes();
void WatchPeak();

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_ALLOCATIONS_H_
