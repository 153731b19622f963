/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/mappings.h"

enum { kLine = 256, kBuffer = 4096, kFirst = 256 };
#define ROOF_HUGE_PAGE (UINT64_C(2) << 20)

/* What the kernel does where nobody asks. */
enum policy { POLICY_NEVER, POLICY_ASKED, POLICY_ALWAYS };

struct text {
  const struct roof_files* files;
  int file;
  long at, size;
  char bytes[kBuffer];
  char line[kLine]; /* the last one; what is longer is cut off */
};

static int next_byte(struct text* text) {
  if (text->at == text->size) {
    text->size = text->files->read(text->file, text->bytes, kBuffer);
    text->at = 0;
    if (text->size <= 0) {
      text->size = 0;
      return -1;
    }
  }
  return (unsigned char)text->bytes[text->at++];
}

static int open_text(struct text* text, const struct roof_files* files, const char* path) {
  text->files = files;
  text->at = text->size = 0;
  text->file = files->open(path);
  return text->file >= 0;
}

static int next_line(struct text* text) {
  unsigned length = 0;
  int byte = next_byte(text);
  if (byte < 0) return 0;
  for (; byte >= 0 && byte != '\n'; byte = next_byte(text))
    if (length + 1 < kLine) text->line[length++] = (char)byte;
  text->line[length] = 0;
  return 1;
}

/* What follows the beginning; NULL if the text does not begin so. */
static const char* behind(const char* text, const char* beginning) {
  while (*beginning && *text == *beginning) ++text, ++beginning;
  return *beginning ? NULL : text;
}

static int digit_of(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static uint64_t hexadecimal(const char** text) {
  uint64_t value = 0;
  for (; digit_of(**text) >= 0; ++*text) value = value << 4 | (uint64_t)digit_of(**text);
  return value;
}

static const char* next_word(const char* text) {
  while (*text && *text != ' ') ++text;
  while (*text == ' ') ++text;
  return text;
}

/* "always [madvise] never" */
static enum policy policy_of_kernel(const struct roof_files* files) {
  struct text text;
  enum policy policy = POLICY_ALWAYS;
  if (!open_text(&text, files, "/sys/kernel/mm/transparent_hugepage/enabled")) return policy;
  if (next_line(&text)) {
    for (const char* word = text.line; *word; word = next_word(word)) {
      if (behind(word, "[never]")) policy = POLICY_NEVER;
      if (behind(word, "[madvise]")) policy = POLICY_ASKED;
    }
  }
  files->close(text.file);
  return policy;
}

/* "begin-end rwxp offset device inode name". 0 if the line is none of these. */
static int read_header(const char* line, struct roof_mapping* out, int* is_private) {
  const char* at = line;
  const uint64_t begin = hexadecimal(&at);
  if (at == line || *at != '-') return 0;
  ++at;
  out->begin = begin;
  out->end = hexadecimal(&at);
  const char* mode = next_word(at);
  const char* inode = next_word(next_word(next_word(mode)));
  *is_private = behind(mode, "rw") && mode[2] && mode[3] == 'p' && inode[0] == '0' &&
                (inode[1] == ' ' || !inode[1]);
  out->pages = ROOF_PAGES_OTHER;
  return 1;
}

static int has_flag(const char* flags, const char* flag) {
  for (; *flags; flags = next_word(flags))
    if (behind(flags, flag)) return 1;
  return 0;
}

/* Of private memory. No huge page has room in less than one. */
static int is_small(const struct roof_mapping* mapping, const char* flags, enum policy policy) {
  if (has_flag(flags, "ht")) return 0;
  if (policy == POLICY_NEVER || has_flag(flags, "nh")) return 1;
  if (policy == POLICY_ASKED && !has_flag(flags, "hg")) return 1;
  return mapping->end - mapping->begin < ROOF_HUGE_PAGE;
}

/* Mappings side by side that are alike become one. Without memory the rest is not known. */
static void add(struct roof_mappings* mappings, const struct roof_mapping* mapping) {
  struct roof_mapping* last = mappings->count ? &mappings->mapping[mappings->count - 1] : NULL;
  if (last && last->end == mapping->begin && last->pages == mapping->pages) {
    last->end = mapping->end;
    return;
  }
  if (mappings->count == mappings->capacity) {
    const uint32_t capacity = mappings->capacity ? 2 * mappings->capacity : kFirst;
    struct roof_mapping* more = roof_memory_allocate(&mappings->memory, capacity * sizeof *more);
    if (!more) return;
    for (uint32_t i = 0; i < mappings->count; ++i) more[i] = mappings->mapping[i];
    roof_memory_release(&mappings->memory, mappings->mapping, mappings->capacity * sizeof *more);
    mappings->mapping = more;
    mappings->capacity = capacity;
  }
  mappings->mapping[mappings->count++] = *mapping;
}

/* A mapping whose flags do not follow is left out. */
void roof_mappings_read(struct roof_mappings* mappings) {
  struct text text;
  struct roof_mapping mapping = {0, 0, ROOF_PAGES_OTHER};
  int is_private = 0;
  mappings->count = mappings->last = 0;
  const enum policy policy = policy_of_kernel(mappings->files);
  if (!open_text(&text, mappings->files, "/proc/thread-self/smaps")) return;
  while (next_line(&text)) {
    if (read_header(text.line, &mapping, &is_private)) continue;
    const char* flags = behind(text.line, "VmFlags:");
    if (!flags) continue;
    if (is_private && is_small(&mapping, next_word(flags), policy))
      mapping.pages = ROOF_PAGES_SMALL;
    add(mappings, &mapping);
  }
  mappings->files->close(text.file);
}

static int holds(const struct roof_mapping* mapping, uint64_t address) {
  return mapping->begin <= address && address < mapping->end;
}

enum roof_pages roof_mappings_find(struct roof_mappings* mappings, uint64_t address) {
  uint32_t low = 0, high = mappings->count;
  if (mappings->last < high && holds(&mappings->mapping[mappings->last], address))
    return mappings->mapping[mappings->last].pages;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (mappings->mapping[middle].end <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == mappings->count || !holds(&mappings->mapping[low], address)) return ROOF_PAGES_UNKNOWN;
  mappings->last = low;
  return mappings->mapping[low].pages;
}
