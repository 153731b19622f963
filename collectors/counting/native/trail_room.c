/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of trails, and when they are read. */
#include <sys/mman.h>

#include "collectors/counting/native/translator.h"

enum { kBytes = 2 * ROOF_TRAIL_BYTES, kRecords = ROOF_TRAIL_RECORDS * sizeof(uint64_t) };

/* What is around it is given back at once. */
static uint64_t* map_aligned(void) {
  const uint64_t all = 2 * (uint64_t)ROOF_TRAIL_ALIGNMENT;
  uint8_t* got =
      mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return NULL;
  const uint64_t before = -(uint64_t)(uintptr_t)got & (ROOF_TRAIL_ALIGNMENT - 1);
  uint8_t* trail = got + before;
  if (before) munmap(got, before);
  munmap(trail + kBytes, all - before - kBytes);
  return (uint64_t*)(void*)trail;
}

int roof_native_open_trail(struct roof_native_room* room, const struct roof_memory* memory) {
  room->records = roof_memory_allocate(memory, kRecords);
  room->trail = room->records ? map_aligned() : NULL;
  if (room->trail) return 1;
  roof_memory_release(memory, room->records, kRecords);
  room->records = NULL;
  return 0;
}

void roof_native_close_trail(struct roof_native_room* room, const struct roof_memory* memory) {
  if (!room->trail) return;
  munmap(room->trail, kBytes);
  roof_memory_release(memory, room->records, kRecords);
}

void roof_native_trace(struct roof_native* native, uint32_t shift, roof_native_records take,
                       void* cookie) {
  const struct roof_native_reader reader = {shift, take, cookie, NULL};
  native->reader = reader;
  native->traced = 1;
}

static void read_part(struct roof_native_area* area, const uint64_t* begin, const uint64_t* end) {
  struct roof_native_reader reader = area->native->reader;
  reader.records = area->room->records;
  if (end <= begin) return;
  if (area->native->window) begin = area->native->window(area, begin, end);
  roof_native_read_trail(&reader, area, begin, end);
}

void roof_native_flush(struct roof_native_area* area) {
  struct roof_native_room* room = area->room;
  const uint64_t *begin = room->trail, *end = area->position;
  const uint64_t parts = room->part_count;
  area->position = room->trail;
  room->part_count = 0;
  if (!end) return;
  void* context = area->context;
  for (uint64_t i = 0; i < parts; ++i) {
    area->context = room->parts[i].context;
    read_part(area, begin, room->parts[i].end);
    begin = room->parts[i].end;
  }
  area->context = context;
  read_part(area, begin, end);
}
