/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the parts that engines share get their memory: they use no libc, so the engine hands in its
 * own. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_MEMORY_H_
#define ROOFMARK_COLLECTORS_COUNTING_MEMORY_H_

#include <stddef.h>

struct roof_memory {
  /* Zeroed memory; NULL if there is none. */
  void* (*allocate)(void* cookie, size_t bytes);
  /* `bytes` is the size that was asked for. */
  void (*release)(void* cookie, void* memory, size_t bytes);
  void* cookie; /* handed back to both */
};

static inline void* roof_memory_allocate(const struct roof_memory* memory, size_t bytes) {
  return memory->allocate(memory->cookie, bytes);
}

static inline void roof_memory_release(const struct roof_memory* memory, void* block,
                                       size_t bytes) {
  if (block) memory->release(memory->cookie, block, bytes);
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_MEMORY_H_ */
