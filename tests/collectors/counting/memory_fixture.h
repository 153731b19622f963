// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "collectors/counting/memory.h"

namespace roofmark {

// Hands out zeroed memory and knows what is still out.
struct Memory {
  size_t bytes = 0;
  size_t limit = SIZE_MAX;
  static void* Allocate(void* cookie, size_t size) {
    auto* self = static_cast<Memory*>(cookie);
    if (self->bytes + size > self->limit) return nullptr;
    void* memory = std::aligned_alloc(64, (size + 63) / 64 * 64);
    std::memset(memory, 0, size);
    self->bytes += size;
    return memory;
  }
  static void Release(void* cookie, void* memory, size_t size) {
    static_cast<Memory*>(cookie)->bytes -= size;
    std::free(memory);
  }
  roof_memory Hooks() { return {Allocate, Release, this}; }
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_
