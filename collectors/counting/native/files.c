/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/files.h"

#include <fcntl.h>
#include <stddef.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/system_call.h"
#include "collectors/counting/native/translator.h"

enum { kBuffer = 4096, kPath = 1024, kPaths = 16 };
#define ROOF_LEAST_CACHE (UINT64_C(2) << 20)
#define ROOF_MOST_CACHE (UINT64_C(64) << 20)

/* Of one line. */
struct mapping {
  uint64_t begin, end, identity, file;
  uint64_t offset; /* in the file */
  int of_file;
  int accessible, executable;
  int is_code; /* of a file, and nobody writes to it */
  char path[kPath];
};

struct reader {
  int file;
  long at, size;
  char bytes[kBuffer];
};

static int next_byte(struct reader* reader) {
  if (reader->at == reader->size) {
    reader->size = roof_native_system_call(SYS_read, reader->file, (long)reader->bytes, kBuffer);
    reader->at = 0;
    if (reader->size <= 0) {
      reader->size = 0;
      return -1;
    }
  }
  /* The kernel has written it, which the analysis does not see in the assembly. */
  return (unsigned char)reader->bytes[reader->at++];  // NOLINT(clang-analyzer-core.uninitialized.*)
}

static int digit_of(int byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* A number in hexadecimal digits and the byte behind it. */
static uint64_t next_number(struct reader* reader, int* behind) {
  uint64_t value = 0;
  for (*behind = next_byte(reader); digit_of(*behind) >= 0; *behind = next_byte(reader))
    value = value << 4 | (uint64_t)digit_of(*behind);
  return value;
}

static int begins_with(const char* text, const char* beginning) {
  while (*beginning && *text == *beginning) ++text, ++beginning;
  return !*beginning;
}

/* "begin-end rwxp offset device:device inode   path". The number of the file is read as
 * hexadecimal, which tells files apart as well. */
static int next_mapping(struct reader* reader, struct mapping* out) {
  int behind;
  char mode[4];
  out->begin = next_number(reader, &behind);
  if (behind != '-') return 0;
  out->end = next_number(reader, &behind);
  for (unsigned i = 0; i < 4; ++i) mode[i] = (char)next_byte(reader);
  next_byte(reader);
  out->file = UINT64_C(0xcbf29ce484222325);
  out->offset = next_number(reader, &behind);
  uint64_t number = 0;
  for (unsigned i = 0; i < 3; ++i) {
    number = next_number(reader, &behind);
    out->file = (out->file ^ number) * UINT64_C(0x100000001b3);
  }
  out->identity = (out->file ^ out->offset) * UINT64_C(0x100000001b3);
  while (behind == ' ') behind = next_byte(reader);
  unsigned length = 0;
  for (; behind >= 0 && behind != '\n'; behind = next_byte(reader))
    if (length + 1 < kPath) out->path[length++] = (char)behind;
  out->path[length] = '\0';
  out->of_file = number != 0 && !begins_with(out->path, "/memfd:") &&
                 !begins_with(out->path, "/dev/") && !begins_with(out->path, "/SYSV");
  out->accessible = mode[0] != '-' || mode[1] != '-' || mode[2] != '-';
  out->executable = mode[2] == 'x';
  out->is_code = mode[0] == 'r' && mode[1] != 'w' && mode[2] == 'x' && mode[3] == 'p' &&
                 (out->of_file || begins_with(out->path, "[vdso]"));
  return 1;
}

static int open_file(const char* path) {
  return (int)roof_native_system_call(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0);
}
static long read_file(int file, char* out, size_t bytes) {
  return roof_native_system_call(SYS_read, file, (long)out, (long)bytes);
}
static void close_file(int file) { roof_native_system_call(SYS_close, file, 0, 0); }
const struct roof_files* roof_native_files(void) {
  static const struct roof_files kFiles = {open_file, read_file, close_file};
  return &kFiles;
}

static int open_maps(struct reader* reader) {
  reader->file = open_file("/proc/thread-self/maps");
  reader->at = reader->size = 0;
  return reader->file >= 0;
}
static void close_maps(const struct reader* reader) { close_file(reader->file); }

static const char* without_folder(const char* path) {
  const char* name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

/* The kernel ends such a sequence by its place in the program, which translated code has not. */
static int may_have_sequences(const char* path) {
  const char* name = without_folder(path);
  return begins_with(name, "libtcmalloc") || begins_with(name, "librseq") ||
         begins_with(name, "liblttng-ust");
}

/* What the libraries of the languages execute belongs to whoever called them, as with libc. */
static uint32_t owner_of(const char* path) {
  const char* name = without_folder(path);
  const int serves = begins_with(path, "[vdso]") || begins_with(name, "libstdc++.so") ||
                     begins_with(name, "libm.so");
  return serves ? (uint32_t)ROOF_SERVICE : roof_owner_of_file(path);
}

/* Memory that is not written takes none, but what is reserved has to be in reach. Where there are
 * nests, code is translated once more for each path that it is executed in: most often code of
 * files that have some. */
static uint64_t cache_bytes(const struct roof_native* native, const struct mapping* mapping) {
  uint64_t bytes = 8 * (mapping->end - mapping->begin);
  if (bytes < ROOF_LEAST_CACHE) bytes = ROOF_LEAST_CACHE;
  if (native->nests) bytes *= roof_native_nests_in(native, mapping->path) ? kPaths : kPaths / 4;
  const uint64_t most = native->nests ? 4 * ROOF_MOST_CACHE : ROOF_MOST_CACHE;
  return bytes < most ? bytes : most;
}

static unsigned allow(struct roof_native* native, const struct mapping* mapping, uint64_t base) {
  int error;
  if (may_have_sequences(mapping->path)) return ROOF_LEAVE_SEQUENCE;
  const uint64_t number = mapping->of_file ? roof_native_file_number(native, mapping->path) : 0;
  if (native->keeps_blocks && mapping->of_file && !number) return ROOF_LEAVE_NO_MEMORY;
  const struct roof_native_code code = {mapping->begin,
                                        mapping->end,
                                        cache_bytes(native, mapping),
                                        mapping->file,
                                        mapping->identity,
                                        owner_of(mapping->path),
                                        base,
                                        number,
                                        roof_native_nests_in(native, mapping->path)};
  return roof_native_allow_owned(native, &code, &error) ? ROOF_LEAVE_REASONS : ROOF_LEAVE_NO_MEMORY;
}

/* A file is mapped in parts, one behind the other. The linker may leave gaps between them, for
 * large pages; where libraries are loaded these are parts, too, without access, and elsewhere
 * anything may lie in them. A small file's first page can be mapped twice, as data and as code
 * (LLVM's linker). A file that is there twice begins with its first part again. */
struct module {
  uint64_t base;
  uint64_t file, offset; /* of the last part */
  int executable;
};

static int continues(const struct module* module, const struct mapping* part) {
  if (module->file != part->file) return 0;
  return module->offset < part->offset ||
         (module->offset == part->offset && !module->executable && part->executable);
}

static void add_part(struct module* module, const struct mapping* part) {
  if (!part->of_file || !part->accessible) return;
  if (!continues(module, part)) module->base = part->begin;
  module->file = part->file;
  module->offset = part->offset;
  module->executable = part->executable;
}

unsigned roof_native_allow_file_at(struct roof_native* native, uint64_t pc) {
  struct reader reader;
  struct mapping mapping;
  struct module module = {0, 0, 0, 0};
  unsigned reason = ROOF_LEAVE_OUTSIDE;
  if (!open_maps(&reader)) return reason;
  while (next_mapping(&reader, &mapping)) {
    add_part(&module, &mapping);
    if (pc < mapping.begin || pc >= mapping.end) continue;
    if (mapping.is_code)
      reason = allow(native, &mapping, mapping.of_file ? module.base : mapping.begin);
    break;
  }
  close_maps(&reader);
  return reason;
}

void roof_native_check_files(struct roof_native* native) {
  struct reader reader;
  struct mapping mapping;
  uint8_t there[ROOF_MODULES] = {0};
  if (!open_maps(&reader)) return;
  while (next_mapping(&reader, &mapping)) {
    for (uint32_t i = 0; mapping.is_code && i < native->modules; ++i) {
      const struct roof_native_module* module = &native->module[i];
      if (module->begin == mapping.begin && module->end == mapping.end &&
          module->identity == mapping.identity)
        there[i] = 1;
    }
  }
  close_maps(&reader);
  for (uint32_t i = 0; i < native->modules; ++i)
    if (!there[i] && native->module[i].end != 0)
      roof_native_forget(native, native->module[i].begin, native->module[i].end);
}
