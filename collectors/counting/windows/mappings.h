/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which memory of this process lies in pages of 4 KiB for certain: private memory of no file that
 * the kernel makes no huge pages of, as its smaps and its settings say. A program's memory
 * is told apart as in any other execution of it, because it is the program that asks for huge
 * pages; where the kernel gives them without being asked, nothing is certain.
 *
 * Plain C without libc. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MAPPINGS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MAPPINGS_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an engine reads files. */
struct roof_files {
  int (*open)(const char* path); /* negative: it cannot be read */
  long (*read)(int file, char* out, size_t bytes);
  void (*close)(int file);
};

enum roof_pages {
  ROOF_PAGES_UNKNOWN, /* not mapped when the mappings were read last */
  ROOF_PAGES_SMALL,
  ROOF_PAGES_OTHER /* may be huge */
};

struct roof_mapping {
  uint64_t begin, end;
  enum roof_pages pages;
};

/* All zero but `memory` and `files`: none is known. */
struct roof_mappings {
  struct roof_memory memory;
  const struct roof_files* files;
  struct roof_mapping* mapping; /* ascending */
  uint32_t count, capacity;
  uint32_t last; /* that was found */
};

/* Forgets what was known and reads it again. Cost: that of reading smaps, from less than a
 * millisecond to tens of them for each GB of small pages. */
void roof_mappings_read(struct roof_mappings* mappings);
enum roof_pages roof_mappings_find(struct roof_mappings* mappings, uint64_t address);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MAPPINGS_H_ */
