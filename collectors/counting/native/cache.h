/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where translated code lies: a cache for each module, so close to it that code and data which lie
 * at a distance from the instruction pointer are in reach; and what was translated already. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_CACHE_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_CACHE_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code that may be translated, and the cache for it. */
struct roof_native_module {
  uint64_t begin, end;     /* both 0: it was forgotten, and the cache can serve other code */
  uint64_t file, identity; /* of the file, and of its place in it */
  uint64_t base;           /* the lowest address of the file */
  uint64_t number;         /* of the file; 0: its blocks are not kept */
  uint32_t owner;          /* enum roof_owner */
  uint32_t nests;          /* number among the modules of nests; 0: it has none */
  uint8_t* code;           /* NULL: there is no room in reach */
  uint8_t* first;          /* what was translated since it was allowed begins here */
  uint8_t* at;             /* what is free begins here */
  uint8_t* code_end;
  uint8_t* begins; /* a bit for each 16 bytes of the cache: translated code begins there */
  size_t pages_size;
  uint64_t* pages; /* of the program's code: a sum of what was translated; 0: nothing of it was */
};

/* Reserves memory in reach of the module. 0, with errno's number in `error`, if there is none. */
int roof_native_cache_open(struct roof_native_module* module, uint64_t begin, uint64_t end,
                           uint64_t bytes, int* error);
/* The cache of what was forgotten serves other code, behind what is there. 0: that is not in reach,
 * less than half of the bytes that are wanted is free, or there is no memory. */
int roof_native_cache_open_again(struct roof_native_module* module, uint64_t begin, uint64_t end,
                                 uint64_t bytes);
void roof_native_cache_close(struct roof_native_module* module);

/* Code in [begin, end) is translated as it is now: notes its pages. */
void roof_native_cache_note_source(struct roof_native_module* module, uint64_t begin, uint64_t end);
/* A page is not what it was when code of it was translated. One that cannot be read is none. */
int roof_native_cache_is_changed(const struct roof_native_module* module);

/* Notes where translated code begins, and finds the last beginning up to `at`; NULL: none. */
void roof_native_cache_note(struct roof_native_module* module, const uint8_t* code);
const uint8_t* roof_native_cache_begin(const struct roof_native_module* module, const uint8_t* at);

/* Code is translated once more for each path of nests, so that each has counters of its own: this
 * is the address of a version. Addresses of programs have 47 bits. */
static inline uint64_t roof_native_key(uint64_t pc, uint64_t version) {
  return pc + (version << 48);
}
static inline uint64_t roof_native_pc_of(uint64_t key) { return key << 16 >> 16; }

/* Translated code by the key of the program's. All zero: empty. */
struct roof_native_place {
  uint64_t pc;         /* key */
  const uint8_t* code; /* NULL: the place is free */
};
struct roof_native_places {
  struct roof_native_place* place;
  uint32_t bits; /* there are 2^bits */
  uint32_t count;
};
const uint8_t* roof_native_places_find(const struct roof_native_places* places, uint64_t pc);
void roof_native_places_forget(struct roof_native_places* places, uint64_t pc);
/* 0 without memory. */
int roof_native_places_add(struct roof_native_places* places, const struct roof_memory* memory,
                           uint64_t pc, const uint8_t* code);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_CACHE_H_ */
