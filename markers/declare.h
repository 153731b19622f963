// SPDX-License-Identifier: BSD-3-Clause
//
// Declared work of the calling thread: what the entry points with and without a site share.
#ifndef ROOFMARK_MARKERS_DECLARE_H_
#define ROOFMARK_MARKERS_DECLARE_H_

#include <cstdint>

namespace roofmark::markers {

// While recording. The first time in a region they take memory, and perhaps a lock.
void DeclareWork(uint64_t flops, uint64_t bytes) noexcept;
// `kind` is a resolved name. Of a second kind in the same region only the number is kept.
void DeclareOperations(uint32_t kind, uint64_t count) noexcept;

// Of a call of MPI of the calling thread, while recording.
void AddMpiTime(uint64_t ticks) noexcept;

// Makes what all three are added to; `kind` 0: of no operations. False if it
// cannot.
bool PrepareWork(uint32_t kind) noexcept;

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_DECLARE_H_
