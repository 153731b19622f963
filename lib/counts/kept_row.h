/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one worker counted in one path, in memory that outlives the process: a header, then two
 * copies of `columns` words. One writer at a time. An update goes to the copy that is not current
 * and is then made current, so a process that is killed between any two stores leaves a whole one.
 * An update begins with the copy's last word and ends with its first: whoever reads the memory from
 * its beginning while it changes finds numbers that differ.
 *
 * Plain C: the counting engine's tool writes it, too. */
#ifndef ROOFMARK_LIB_COUNTS_KEPT_ROW_H_
#define ROOFMARK_LIB_COUNTS_KEPT_ROW_H_

#include <stddef.h>
#include <stdint.h>

struct roof_kept_row {
  uint64_t sequence; /* number of updates; copy sequence & 1 is current */
  uint32_t worker;
  uint32_t path;
};

/* `columns` words follow, and again the number of the update. */
struct roof_kept_copy {
  uint64_t begin;  /* number of the update that wrote it */
  uint64_t visits; /* finished visits that it covers, or number of the hand-over */
  uint64_t record; /* thread record of the markers whose visits these are */
};

static inline size_t roof_kept_copy_bytes(size_t columns) {
  return sizeof(struct roof_kept_copy) + (columns + 1) * sizeof(uint64_t);
}

static inline size_t roof_kept_row_bytes(size_t columns) {
  return sizeof(struct roof_kept_row) + 2 * roof_kept_copy_bytes(columns);
}

static inline struct roof_kept_row* roof_kept_at(void* rows, size_t columns, size_t index) {
  return (struct roof_kept_row*)((char*)rows + index * roof_kept_row_bytes(columns));
}

static inline uint64_t* roof_kept_words(const struct roof_kept_copy* copy) {
  return (uint64_t*)(copy + 1);
}

/* The copy that update number `sequence` wrote. */
static inline struct roof_kept_copy* roof_kept_copy_of(const struct roof_kept_row* row,
                                                       size_t columns, uint64_t sequence) {
  return (struct roof_kept_copy*)((char*)(row + 1) +
                                  (sequence & 1) * roof_kept_copy_bytes(columns));
}

/* A word that somebody may read meanwhile: as cheap as plain memory. */
static inline void roof_kept_put(uint64_t* word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Begins an update: the copy whose words the caller fills, all of them, by roof_kept_put. */
static inline struct roof_kept_copy* roof_kept_begin(struct roof_kept_row* row, size_t columns) {
  const uint64_t next = row->sequence + 1;
  struct roof_kept_copy* copy = roof_kept_copy_of(row, columns, next);
  roof_kept_put(&roof_kept_words(copy)[columns], next);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return copy;
}

/* Makes it current. */
static inline void roof_kept_commit(struct roof_kept_row* row, struct roof_kept_copy* copy,
                                    uint64_t record, uint64_t visits) {
  roof_kept_put(&copy->record, record);
  roof_kept_put(&copy->visits, visits);
  __atomic_store_n(&copy->begin, row->sequence + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&row->sequence, row->sequence + 1, __ATOMIC_RELEASE);
}

#endif /* ROOFMARK_LIB_COUNTS_KEPT_ROW_H_ */
