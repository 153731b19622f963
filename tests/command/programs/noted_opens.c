/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded: each file that is opened by its path gets a line in the file NOTED_OPENS, with the
 * flags in octal and the path; not what is opened in a directory that is open already. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int call(int directory, const char *path, int flags, unsigned mode) {
  return (int)syscall(SYS_openat, directory, path, flags, mode);
}

static void note(int directory, const char *path, int flags) {
  const char *name = getenv("NOTED_OPENS");
  if (name == NULL || (directory != AT_FDCWD && path[0] != '/')) return;
  const int before = errno;
  const int file = call(AT_FDCWD, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) dprintf(file, "%o %s\n", (unsigned)flags, path);
  if (file >= 0) close(file);
  errno = before;
}

static int noted(int directory, const char *path, int flags, unsigned mode) {
  note(directory, path, flags);
  return call(directory, path, flags, mode);
}

#define WITH_MODE(flags, mode)   \
  va_list list;                  \
  va_start(list, flags);         \
  mode = va_arg(list, unsigned); \
  va_end(list)

int open(const char *path, int flags, ...) {
  unsigned mode;
  WITH_MODE(flags, mode);
  return noted(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  unsigned mode;
  WITH_MODE(flags, mode);
  return noted(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
  unsigned mode;
  WITH_MODE(flags, mode);
  return noted(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
  unsigned mode;
  WITH_MODE(flags, mode);
  return noted(directory, path, flags, mode);
}

/* What _FORTIFY_SOURCE makes of calls without a mode. */
int __open_2(const char *path, int flags) { return noted(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return noted(AT_FDCWD, path, flags, 0); }
int __openat_2(int directory, const char *path, int flags) {
  return noted(directory, path, flags, 0);
}
int __openat64_2(int directory, const char *path, int flags) {
  return noted(directory, path, flags, 0);
}

typedef FILE *open_stream(const char *, const char *);

static FILE *noted_stream(const char *name, const char *path, const char *mode) {
  open_stream *next;
  void *const found = dlsym(RTLD_NEXT, name);
  memcpy(&next, &found, sizeof next);
  note(AT_FDCWD, path, mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT);
  return next(path, mode);
}
FILE *fopen(const char *path, const char *mode) { return noted_stream("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return noted_stream("fopen64", path, mode); }
