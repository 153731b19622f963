/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/page_walks.h"

#include "collectors/counting/cache/record.h"

enum { kPageShift = 12, kFirstGap = 100000 };

int roof_page_walks_start(struct roof_page_walks* walks, const struct roof_memory* memory,
                          const struct roof_files* files, uint32_t slots) {
  const struct roof_page_walks fresh = {
      .mappings = {.memory = *memory, .files = files}, .slots = slots, .read_gap = kFirstGap};
  *walks = fresh;
  walks->of = roof_memory_allocate(memory, slots * sizeof *walks->of);
  return walks->of != NULL;
}

/* NULL without memory. */
static struct roof_translations* translations_of(struct roof_page_walks* walks, uint32_t slot) {
  static const struct roof_translations kNone;
  struct roof_known_pages** of = &walks->of[walks->slots == 1 ? 0 : slot];
  if (!*of) *of = roof_memory_allocate(&walks->mappings.memory, sizeof **of);
  if (!*of) return NULL;
  if ((*of)->since != walks->since) (*of)->translations = kNone;
  (*of)->since = walks->since;
  return &(*of)->translations;
}

void roof_page_walks_restart(struct roof_page_walks* walks) { ++walks->since; }

/* Memory that was mapped since the mappings were read makes them be read again, but ever more
 * seldom: half as often as before after each time. */
static enum roof_pages pages_at(struct roof_page_walks* walks, uint64_t address) {
  const enum roof_pages pages = roof_mappings_find(&walks->mappings, address);
  if (pages != ROOF_PAGES_UNKNOWN || walks->touched < walks->read_next) return pages;
  roof_mappings_read(&walks->mappings);
  walks->read_next = walks->touched + walks->read_gap;
  walks->read_gap += walks->read_gap / 2;
  return roof_mappings_find(&walks->mappings, address);
}

static enum roof_flow_page touch(struct roof_page_walks* walks,
                                 struct roof_translations* translations, uint64_t address) {
  const uint64_t page = address >> kPageShift;
  if (roof_translations_latest(translations, page)) return ROOF_FLOW_PAGE_FIRST;
  if (pages_at(walks, address) != ROOF_PAGES_SMALL) return ROOF_FLOW_PAGE_FIRST;
  return roof_translations_touch(translations, page);
}

enum roof_flow_page roof_page_walks_touch(struct roof_page_walks* walks, uint32_t slot,
                                          uint64_t address) {
  if (!walks->of) return ROOF_FLOW_PAGE_FIRST;
  struct roof_translations* translations = translations_of(walks, slot);
  ++walks->touched;
  return translations ? touch(walks, translations, address) : ROOF_FLOW_PAGE_FIRST;
}

void roof_page_walks_note(struct roof_page_walks* walks, uint32_t slot, const uint64_t* records,
                          size_t count) {
  if (!walks->of) return;
  struct roof_translations* translations = translations_of(walks, slot);
  if (!translations) return;
  walks->touched += count;
  for (size_t i = 0; i < count; ++i) touch(walks, translations, ROOF_RECORD_ADDRESS(records[i]));
}
