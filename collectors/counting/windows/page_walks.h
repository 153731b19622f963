/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a core finds the address of the page that an access touches, as far as that is certain to
 * be one of 4 KiB. Others take no room and cost nothing.
 *
 * Plain C without libc. No call may overlap another one on the same walks. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_PAGE_WALKS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_PAGE_WALKS_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/dataflow/dataflow.h"
#include "collectors/counting/windows/mappings.h"
#include "collectors/counting/windows/translations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a core knows, since accesses are followed without a gap. */
struct roof_known_pages {
  uint32_t since; /* as roof_page_walks::since, or it is of before */
  struct roof_translations translations;
};

/* All zero: nothing is followed. */
struct roof_page_walks {
  struct roof_mappings mappings;
  struct roof_known_pages** of; /* by slot; of a single one where `slots` is 1 */
  uint32_t slots;
  uint32_t since;               /* gaps so far */
  uint64_t touched;             /* accesses so far */
  uint64_t read_next, read_gap; /* the mappings are read again after so many of them */
};

/* `files` stay. 0 without memory. */
int roof_page_walks_start(struct roof_page_walks* walks, const struct roof_memory* memory,
                          const struct roof_files* files, uint32_t slots);

/* Accesses were left out, so that no core knows any page for certain. */
void roof_page_walks_restart(struct roof_page_walks* walks);
/* An access of the thread in the slot. */
enum roof_flow_page roof_page_walks_touch(struct roof_page_walks* walks, uint32_t slot,
                                          uint64_t address);
/* The same of many, as records of the cache model. */
void roof_page_walks_note(struct roof_page_walks* walks, uint32_t slot, const uint64_t* records,
                          size_t count);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_PAGE_WALKS_H_ */
