/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/cache.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

/* Distances are 32 bits with a sign. Both ends of the module and of the cache are in reach of each
 * other, with a reserve for data behind the code. */
#define ROOF_REACH (UINT64_C(0x7FFFFFFF) - (UINT64_C(64) << 20))
#define ROOF_STEP (UINT64_C(16) << 20)

static uint8_t* map_at(uint64_t place, uint64_t bytes) {
  void* got = mmap((void*)(uintptr_t)place, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return NULL;
  if (got == (void*)(uintptr_t)place) return got;
  munmap(got, bytes); /* a kernel that does not know the flag */
  errno = EEXIST;
  return NULL;
}

/* Below the module, then above it. Where one place has no memory, none has. */
static uint8_t* map_in_reach(uint64_t begin, uint64_t end, uint64_t bytes) {
  const uint64_t first = begin & ~(ROOF_STEP - 1);
  for (uint64_t away = bytes; away < ROOF_REACH && away + ROOF_STEP < first; away += ROOF_STEP) {
    if (end - (first - away) > ROOF_REACH) break;
    uint8_t* got = map_at(first - away, bytes);
    if (got || errno != EEXIST) return got;
  }
  for (uint64_t at = (end + ROOF_STEP) & ~(ROOF_STEP - 1); at + bytes - begin < ROOF_REACH;
       at += ROOF_STEP) {
    uint8_t* got = map_at(at, bytes);
    if (got || errno != EEXIST) return got;
  }
  return NULL;
}

static size_t begins_bytes(const struct roof_native_module* module) {
  return (size_t)(module->code_end - module->code) / 128 + 1;
}

static size_t pages_bytes(const struct roof_native_module* module) {
  return (size_t)((module->end >> 12) - (module->begin >> 12) + 1) * sizeof *module->pages;
}

static void* map_anywhere(size_t bytes) {
  void* got =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

int roof_native_cache_open(struct roof_native_module* module, uint64_t begin, uint64_t end,
                           uint64_t bytes, int* error) {
  errno = ENOMEM;
  module->begin = begin;
  module->end = end;
  module->code = map_in_reach(begin, end, bytes);
  *error = module->code ? 0 : errno;
  module->first = module->at = module->code;
  module->code_end = module->code ? module->code + bytes : NULL;
  if (!module->code) return 0;
  module->begins = map_anywhere(begins_bytes(module));
  module->pages_size = pages_bytes(module);
  module->pages = map_anywhere(module->pages_size);
  if (!module->begins || !module->pages) {
    *error = errno;
    roof_native_cache_close(module);
    return 0;
  }
  return 1;
}

static int is_in_reach(const struct roof_native_module* module, uint64_t begin, uint64_t end) {
  const uint64_t code = (uint64_t)(uintptr_t)module->code;
  const uint64_t code_end = (uint64_t)(uintptr_t)module->code_end;
  return (end > code_end ? end : code_end) - (begin < code ? begin : code) < ROOF_REACH;
}

int roof_native_cache_open_again(struct roof_native_module* module, uint64_t begin, uint64_t end,
                                 uint64_t bytes) {
  const struct roof_native_module range = {.begin = begin, .end = end};
  const size_t size = pages_bytes(&range);
  if (!is_in_reach(module, begin, end) || (uint64_t)(module->code_end - module->at) < bytes / 2)
    return 0;
  if (size > module->pages_size) {
    uint64_t* pages = map_anywhere(size);
    if (!pages) return 0;
    munmap(module->pages, module->pages_size);
    module->pages = pages;
    module->pages_size = size;
  }
  for (size_t i = 0; i < module->pages_size / sizeof *module->pages; ++i) module->pages[i] = 0;
  module->begin = begin;
  module->end = end;
  module->first = module->at;
  return 1;
}

void roof_native_cache_close(struct roof_native_module* module) {
  if (module->begins) munmap(module->begins, begins_bytes(module));
  if (module->pages) munmap(module->pages, module->pages_size);
  if (module->code) munmap(module->code, (size_t)(module->code_end - module->code));
  module->begins = NULL;
  module->pages = NULL;
  module->code = module->first = module->at = module->code_end = NULL;
}

void roof_native_cache_note(struct roof_native_module* module, const uint8_t* code) {
  const size_t at = (size_t)(code - module->code) / 16;
  __atomic_fetch_or(&module->begins[at / 8], (uint8_t)(1u << at % 8), __ATOMIC_RELEASE);
}

const uint8_t* roof_native_cache_begin(const struct roof_native_module* module, const uint8_t* at) {
  size_t i = (size_t)(at - module->code) / 16 + 1;
  while (i-- > 0) {
    const uint8_t bits = __atomic_load_n(&module->begins[i / 8], __ATOMIC_ACQUIRE);
    if (bits & 1u << i % 8) return module->code + 16 * i;
    if (!bits) i -= i % 8;
  }
  return NULL;
}
