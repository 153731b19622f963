/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/trail_read.h"

#include "collectors/counting/native/trail.h"

enum { kFull = ROOF_TRAIL_ENOUGH };

static inline __attribute__((always_inline)) uint32_t sample(const uint64_t* address,
                                                             const uint64_t* tag,
                                                             const int8_t* limit, uint32_t count,
                                                             uint32_t shift, uint64_t* out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; ++i) {
    out[n] = address[i] | tag[i];
    n += (uint32_t)roof_native_is_sampled(address[i], limit[i], shift);
  }
  return n;
}

const uint64_t* roof_native_sample_base(const uint64_t* next, const uint64_t* end, uint32_t shift,
                                        uint64_t* out, uint32_t* count) {
  return roof_native_sample_blocks(next, end, shift, out, count, sample);
}

/* What is being made. */
struct output {
  const struct roof_native_reader* reader;
  struct roof_native_area* area;
  uint32_t count;
};

static void hand_over(struct output* out) {
  if (out->count)
    out->reader->take(out->reader->cookie, out->area, out->reader->records, out->count);
  out->count = 0;
}

static void add(struct output* out, uint64_t address, uint64_t tag) {
  const uint32_t shift = out->reader->shift;
  if (shift && !roof_native_is_sampled(address, roof_native_limit(tag), shift)) return;
  out->reader->records[out->count++] = address | tag;
  if (out->count >= kFull) hand_over(out);
}

uint64_t roof_native_lanes_of(const struct roof_native_access* access, const uint64_t* mask) {
  const uint64_t all = access->lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << access->lanes) - 1;
  uint64_t lanes = 0;
  if (access->mask == ROOF_MASK_NONE) return all;
  if (access->mask == ROOF_MASK_BITS) return *mask & all;
  for (unsigned i = 0; i < access->lanes; ++i) {
    const uint8_t* lane = (const uint8_t*)mask + (size_t)i * access->element;
    lanes |= (uint64_t)(lane[access->element - 1] >> 7) << i;
  }
  return lanes;
}

static void add_lanes(struct output* out, const struct roof_native_access* access,
                      const uint64_t* slot) {
  for (uint64_t lanes = roof_native_lanes_of(access, slot + 1); lanes; lanes &= lanes - 1)
    add(out, slot[0] + (uint64_t)__builtin_ctzll(lanes) * access->element, access->tag);
}

static void add_packed(struct output* out, const struct roof_native_access* access,
                       const uint64_t* slot) {
  uint64_t address = slot[0];
  for (uint64_t lanes = roof_native_lanes_of(access, slot + 1); lanes; lanes &= lanes - 1) {
    add(out, address, access->tag);
    address += access->element;
  }
}

static void add_gather(struct output* out, const struct roof_native_access* access,
                       const uint64_t* slot) {
  const uint64_t* indices = slot + 1 + access->mask_slots;
  for (uint64_t lanes = roof_native_lanes_of(access, slot + 1); lanes; lanes &= lanes - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(lanes);
    const int64_t index = access->index == 8
                              ? (int64_t)indices[lane]
                              : (int64_t)(int32_t)(indices[lane / 2] >> lane % 2 * 32);
    add(out, slot[0] + (uint64_t)index * access->scale, access->tag);
  }
}

/* Two operands of one instruction take turns, as the processor does. */
static uint32_t add_repeated(struct output* out, const struct roof_native_access* access,
                             uint32_t left, const uint64_t* slot) {
  const uint32_t both = left > 1 && access[1].kind == ROOF_ACCESS_REPEATED;
  const uint64_t step = slot[3] < slot[0] ? -(uint64_t)access->element : access->element;
  for (uint64_t i = 0, times = slot[1] - slot[2]; i < times; ++i) {
    add(out, slot[0] + i * step, access->tag);
    if (both) add(out, slot[4] + i * step, access[1].tag);
  }
  return both;
}

static void add_all(struct output* out, const struct roof_native_trail* trail,
                    const uint64_t* slot) {
  const struct roof_native_access* access = (const void*)trail->data;
  const uint32_t count = (uint32_t)trail->accesses;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t* at = slot;
    slot += access[i].slots;
    switch (access[i].kind) {
      case ROOF_ACCESS_LANES:
        add_lanes(out, &access[i], at);
        break;
      case ROOF_ACCESS_PACKED:
        add_packed(out, &access[i], at);
        break;
      case ROOF_ACCESS_GATHER:
        add_gather(out, &access[i], at);
        break;
      case ROOF_ACCESS_REPEATED:
        if (!add_repeated(out, &access[i], count - i, at)) break;
        slot += access[++i].slots;
        break;
      default:
        add(out, at[0], access[i].tag);
        break;
    }
  }
}

static void add_plain(struct output* out, const struct roof_native_trail* trail,
                      const uint64_t* slot, uint32_t count) {
  uint64_t* records = out->reader->records + out->count;
  for (uint32_t i = 0; i < count; ++i) records[i] = slot[i] | trail->data[i];
  out->count += count;
  if (out->count >= kFull) hand_over(out);
}

static const uint64_t* add_block(struct output* out, const uint64_t* next) {
  const uint64_t header = *next;
  const struct roof_native_trail* trail = roof_native_trail_of(header);
  const uint32_t times = roof_native_times_of(&next), slots = roof_native_slots_of(header);
  if (header & ROOF_HEADER_PLAIN) {
    add_plain(out, trail, next, times * slots);
  } else {
    for (uint32_t i = 0; i < times; ++i) add_all(out, trail, next + (size_t)i * slots);
  }
  return next + (size_t)times * slots;
}

static roof_native_sampler choose_sampler(void) {
  if (__builtin_cpu_supports("avx512f")) return roof_native_sample_avx512;
  return __builtin_cpu_supports("avx2") ? roof_native_sample_avx2 : roof_native_sample_base;
}

/* Behind the trail is as much room again, so that reading beyond its end is no harm. */
void roof_native_read_trail(const struct roof_native_reader* reader, struct roof_native_area* area,
                            const uint64_t* begin, const uint64_t* end) {
  struct output out = {reader, area, 0};
  const roof_native_sampler sampler = choose_sampler();
  while (begin < end) {
    if (reader->shift) {
      begin = sampler(begin, end, reader->shift, reader->records, &out.count);
      if (out.count >= kFull) hand_over(&out);
      if (begin >= end || *begin & ROOF_HEADER_PLAIN) continue;
    }
    begin = add_block(&out, begin);
  }
  hand_over(&out);
}
