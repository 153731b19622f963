// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>

#include "collectors/counting/memory.h"

namespace roofmark {

// Hands out zeroed memory, knows what is still out, and takes that back at its end: the parts under
// test live as long as their process.
struct Memory {
  size_t bytes = 0;
  size_t limit = SIZE_MAX;
  std::set<void*> blocks = {};

  ~Memory() {
    for (void* block : blocks) std::free(block);
  }
  static void* Allocate(void* cookie, size_t size) {
    auto* self = static_cast<Memory*>(cookie);
    if (self->bytes + size > self->limit) return nullptr;
    void* memory = std::aligned_alloc(64, (size + 63) / 64 * 64);
    std::memset(memory, 0, size);
    self->bytes += size;
    self->blocks.insert(memory);
    return memory;
  }
  static void Release(void* cookie, void* memory, size_t size) {
    auto* self = static_cast<Memory*>(cookie);
    self->bytes -= size;
    self->blocks.erase(memory);
    std::free(memory);
  }
  roof_memory Hooks() { return {Allocate, Release, this}; }
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_MEMORY_FIXTURE_H_
