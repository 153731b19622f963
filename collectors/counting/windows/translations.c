/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/translations.h"

/* Puts a page first in its set. Returns the one that gave way: the page itself if it was there
 * already, 0 if there was room. */
static uint64_t to_front(uint64_t* way, uint32_t ways, uint64_t page) {
  uint64_t next = page;
  for (uint32_t i = 0; i < ways; ++i) {
    const uint64_t before = way[i];
    way[i] = next;
    next = before;
    if (before == page || !before) break;
  }
  return next;
}

static uint64_t to_second(struct roof_translations* translations, uint64_t page) {
  const uint32_t set = (uint32_t)(page ^ page >> 8 ^ page >> 16) % ROOF_SECOND_SETS;
  return to_front(translations->second[set], ROOF_SECOND_WAYS, page);
}

enum roof_flow_page roof_translations_touch(struct roof_translations* translations, uint64_t page) {
  const uint64_t left = to_front(translations->first[roof_first_set(page)], ROOF_FIRST_WAYS, page);
  if (left == page) return ROOF_FLOW_PAGE_FIRST;
  if (left) to_second(translations, left);
  const uint64_t gone = to_second(translations, page);
  if (gone == page) return ROOF_FLOW_PAGE_SECOND;
  return gone ? ROOF_FLOW_PAGE_WALK : ROOF_FLOW_PAGE_FIRST;
}
