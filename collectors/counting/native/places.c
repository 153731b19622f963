/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Used by the dispatcher while vector registers hold the program's values: the build lets the
 * compiler use general registers alone. */
#include "collectors/counting/hash.h"
#include "collectors/counting/native/cache.h"

enum { kFirstBits = 12 };

static uint32_t first_place(const struct roof_native_places* places, uint64_t pc) {
  return (uint32_t)roof_hash(pc, places->bits);
}

/* The place of this address, or the free one where it would be. */
static struct roof_native_place* place_of(const struct roof_native_places* places, uint64_t pc) {
  const uint32_t mask = (UINT32_C(1) << places->bits) - 1;
  uint32_t i = first_place(places, pc);
  while (places->place[i].code && places->place[i].pc != pc) i = (i + 1) & mask;
  return &places->place[i];
}

const uint8_t* roof_native_places_find(const struct roof_native_places* places, uint64_t pc) {
  return places->place ? place_of(places, pc)->code : NULL;
}

static int grow(struct roof_native_places* places, const struct roof_memory* memory) {
  struct roof_native_places larger = {NULL, places->bits ? places->bits + 1 : kFirstBits,
                                      places->count};
  larger.place = roof_memory_allocate(memory, sizeof *larger.place << larger.bits);
  if (!larger.place) return 0;
  for (uint32_t i = 0; places->place && i < UINT32_C(1) << places->bits; ++i)
    if (places->place[i].code) *place_of(&larger, places->place[i].pc) = places->place[i];
  roof_memory_release(memory, places->place, sizeof *places->place << places->bits);
  *places = larger;
  return 1;
}

int roof_native_places_add(struct roof_native_places* places, const struct roof_memory* memory,
                           uint64_t pc, const uint8_t* code) {
  if ((!places->place || places->count >= UINT32_C(1) << (places->bits - 1)) &&
      !grow(places, memory))
    return 0;
  struct roof_native_place* place = place_of(places, pc);
  if (!place->code) ++places->count;
  place->pc = pc;
  place->code = code;
  return 1;
}

/* What is forgotten stays a link of its chain, with an address that no code has. */
void roof_native_places_forget(struct roof_native_places* places, uint64_t pc) {
  struct roof_native_place* place = places->place ? place_of(places, pc) : NULL;
  if (place && place->code) place->pc = 1;
}
