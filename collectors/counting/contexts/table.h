/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table whose entries are the first member of what it holds. Entries are never removed. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_TABLE_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_TABLE_H_

#include <stdint.h>

#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_entry {
  struct roof_entry* next;
  uint64_t hash;
};

/* All zero: empty. */
struct roof_table {
  struct roof_entry** buckets;
  uint32_t bits; /* there are 2^bits buckets */
  uint32_t count;
};

/* The first entry with this hash, or NULL. Entries with one hash need not be equal. */
struct roof_entry* roof_table_find(const struct roof_table* table, uint64_t hash);
/* The next entry with the hash of this one, or NULL. */
struct roof_entry* roof_table_next(const struct roof_entry* entry);
/* Adds an entry whose hash is set. 0 without memory. */
int roof_table_add(struct roof_table* table, const struct roof_memory* memory,
                   struct roof_entry* entry);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_TABLE_H_ */
