/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pages of 4 KiB whose addresses a core knows: two levels of translation lookaside buffers
 * (TLB). What is in neither takes a walk through the page tables.
 *
 * Both are larger than those of today's cores (x86-64: up to 128 pages and up to 4,096), so that no
 * array of so many pages fills a set too early. A page that leaves the first goes to the second,
 * and of each set the one that was not touched for longest gives way. A time made of what is
 * missing is therefore a lower bound, also because a page counts as missing only where others had
 * to give way for it.
 *
 * Plain C without libc. Cost: 1 ns where the page was touched lately, 10 to 30 ns where it was not.
 */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_TRANSLATIONS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_TRANSLATIONS_H_

#include <stdint.h>

#include "collectors/counting/dataflow/dataflow.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROOF_FIRST_SETS 64
#define ROOF_FIRST_WAYS 4
#define ROOF_SECOND_SETS 256
#define ROOF_SECOND_WAYS 20

/* All zero: nothing was touched. Numbers of pages, in each set the latest first; 0: none. */
struct roof_translations {
  uint64_t first[ROOF_FIRST_SETS][ROOF_FIRST_WAYS];
  uint64_t second[ROOF_SECOND_SETS][ROOF_SECOND_WAYS];
};

/* Neither sizes of arrays nor distances of powers of two may fill some sets and no others. */
static inline uint32_t roof_first_set(uint64_t page) {
  return (uint32_t)(page ^ page >> 6 ^ page >> 12) % ROOF_FIRST_SETS;
}

/* Whether a page is the latest one of its set, which need not be touched again. */
static inline int roof_translations_latest(const struct roof_translations* translations,
                                           uint64_t page) {
  return translations->first[roof_first_set(page)][0] == page;
}

enum roof_flow_page roof_translations_touch(struct roof_translations* translations, uint64_t page);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_TRANSLATIONS_H_ */
