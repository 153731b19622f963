/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that nobody told of: looked for in /proc/self/task where there are more threads than are
 * known. A call of the system takes longer than a short visit: where regions of the team begin and
 * end in quick succession, all of them are asked for at once, some 100 us after the last time. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/counting/native/threads.h"

enum { kBuffer = 4096, kLengthAt = 16, kNameAt = 19, kBetween = 300000 };
#define ROOF_TASKS "/proc/self/task"

/* Others are translated in regions of their own alone. */
static int is_followed(const struct roof_native_thread* thread) {
  return thread->alive && (thread->always || thread == roof_native_process.main);
}

static uint32_t count_known(void) {
  uint32_t known = 0;
  for (const struct roof_native_thread* thread = roof_native_process.threads; thread;
       thread = thread->next)
    if (is_followed(thread)) ++known;
  return known;
}

/* One that has ended is there for a moment. */
static int is_known(uint64_t number) {
  const struct roof_native_process* process = &roof_native_process;
  for (const struct roof_native_thread* thread = process->threads; thread; thread = thread->next)
    if (is_followed(thread) && thread->room->thread == number) return 1;
  for (uint32_t i = 0; i < ROOF_NATIVE_ENDED; ++i)
    if (process->ended[i] == number) return 1;
  return process->asks.is_uncounted((int)number);
}

/* 0: the name is none. */
static uint64_t number_of(const char* name) {
  uint64_t number = 0;
  for (; *name >= '0' && *name <= '9'; ++name) number = 10 * number + (uint64_t)(*name - '0');
  return *name ? 0 : number;
}

static uint32_t count_in(const char* entries, long size) {
  uint32_t strangers = 0;
  uint16_t length;
  for (long at = 0; at < size; at += length) {
    memcpy(&length, entries + at + kLengthAt, sizeof length);
    const uint64_t number = number_of(entries + at + kNameAt);
    if (number && !is_known(number)) ++strangers;
  }
  return strangers;
}

static uint32_t count_strangers(void) {
  struct stat tasks;
  char entries[kBuffer];
  uint32_t strangers = 0;
  long size;
  /* A link for each, and two of the folder. */
  if (stat(ROOF_TASKS, &tasks) != 0 || tasks.st_nlink == count_known() + 2) return 0;
  const int folder = open(ROOF_TASKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
    strangers += count_in(entries, size);
  close(folder);
  const uint32_t coming = (uint32_t)roof_native_process.asks.threads_on_the_way();
  return strangers > coming ? strangers - coming : 0;
}

static void note(uint32_t path) {
  struct roof_native_unasked* unasked = &roof_native_process.unasked;
  if (!unasked->count || unasked->path[unasked->count - 1] != path)
    unasked->path[unasked->count++] = path;
}

void roof_native_note_strangers(uint32_t path) {
  note(path);
  roof_native_ask_when_due();
}

void roof_native_ask_when_due(void) {
  const struct roof_native_unasked* unasked = &roof_native_process.unasked;
  const int is_due = __builtin_ia32_rdtsc() - unasked->asked_at >= kBetween;
  if (is_due || unasked->count == ROOF_NATIVE_UNASKED) roof_native_ask_for_strangers();
}

void roof_native_ask_for_strangers(void) {
  struct roof_native_unasked* unasked = &roof_native_process.unasked;
  if (!unasked->count) return;
  unasked->asked_at = __builtin_ia32_rdtsc();
  const uint32_t strangers = count_strangers();
  for (uint32_t i = 0; strangers && i < unasked->count; ++i)
    roof_native_note_gap(unasked->path[i], ROOF_LEAVE_THREAD);
  unasked->count = 0;
}
