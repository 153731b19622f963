/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/table.h"

#include "collectors/counting/hash.h"

enum { kFirstBits = 10 };

static struct roof_entry** bucket(const struct roof_table* table, uint64_t hash) {
  return &table->buckets[roof_hash(hash, table->bits)];
}

static struct roof_entry* skip_others(struct roof_entry* entry, uint64_t hash) {
  while (entry && entry->hash != hash) entry = entry->next;
  return entry;
}

struct roof_entry* roof_table_find(const struct roof_table* table, uint64_t hash) {
  return table->buckets ? skip_others(*bucket(table, hash), hash) : NULL;
}

struct roof_entry* roof_table_next(const struct roof_entry* entry) {
  return skip_others(entry->next, entry->hash);
}

static void link_in(struct roof_table* table, struct roof_entry* entry) {
  struct roof_entry** head = bucket(table, entry->hash);
  entry->next = *head;
  *head = entry;
}

/* Doubles the buckets. Without memory the chains merely become longer. */
static void grow(struct roof_table* table, const struct roof_memory* memory) {
  const struct roof_table old = *table;
  struct roof_table larger = {NULL, old.buckets ? old.bits + 1 : kFirstBits, old.count};
  larger.buckets = roof_memory_allocate(memory, sizeof *larger.buckets << larger.bits);
  if (!larger.buckets) return;
  for (uint64_t i = 0; old.buckets && i < UINT64_C(1) << old.bits; ++i) {
    for (struct roof_entry *entry = old.buckets[i], *next; entry; entry = next) {
      next = entry->next;
      link_in(&larger, entry);
    }
  }
  roof_memory_release(memory, old.buckets, sizeof *old.buckets << old.bits);
  *table = larger;
}

int roof_table_add(struct roof_table* table, const struct roof_memory* memory,
                   struct roof_entry* entry) {
  if (!table->buckets || table->count >= UINT64_C(1) << table->bits) grow(table, memory);
  if (!table->buckets) return 0;
  link_in(table, entry);
  ++table->count;
  return 1;
}
