/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether code still is what was translated. It is compared by pages, at the end: whoever changes
 * code by mprotect has it forgotten, this finds the rest. */
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "collectors/counting/native/cache.h"

enum { kPage = 4096 };

/* Never 0. */
static uint64_t sum_of(const uint8_t* bytes, uint64_t size) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (uint64_t i = 0; i < size; i += sizeof sum) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    sum ^= sum >> 29;
  }
  return sum ? sum : 1;
}

struct page {
  uint64_t begin, size;
};

/* What the module has of its page `i`. */
static struct page page_of(const struct roof_native_module* module, uint64_t i) {
  const uint64_t at = (module->begin / kPage + i) * kPage;
  const uint64_t begin = at < module->begin ? module->begin : at;
  const uint64_t end = at + kPage > module->end ? module->end : at + kPage;
  const struct page page = {begin, end > begin ? end - begin : 0}; /* 0: behind it */
  return page;
}

void roof_native_cache_note_source(struct roof_native_module* module, uint64_t begin,
                                   uint64_t end) {
  for (uint64_t i = begin / kPage; i <= (end - 1) / kPage; ++i) {
    uint64_t* sum = &module->pages[i - module->begin / kPage];
    if (*sum) continue;
    const struct page page = page_of(module, i - module->begin / kPage);
    *sum = sum_of((const uint8_t*)(uintptr_t)page.begin, page.size);
  }
}

/* Read as a file: the memory may be gone. */
static int differs(int memory, const struct page* page, uint64_t sum) {
  uint8_t bytes[kPage];
  const ssize_t got = pread(memory, bytes, page->size, (off_t)page->begin);
  return got == (ssize_t)page->size && sum_of(bytes, page->size) != sum;
}

int roof_native_cache_is_changed(const struct roof_native_module* module) {
  if (module->end == 0 || !module->pages) return 0;
  const int memory = open("/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
  const uint64_t pages = (module->end - 1) / kPage - module->begin / kPage + 1;
  int changed = 0;
  for (uint64_t i = 0; memory >= 0 && i < pages && !changed; ++i) {
    const struct page page = page_of(module, i);
    if (module->pages[i]) changed = differs(memory, &page, module->pages[i]);
  }
  if (memory >= 0) close(memory);
  return changed;
}
