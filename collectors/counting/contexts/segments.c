/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/segments.h"

void roof_segment_clear(struct roof_segment* segment) {
  for (uint32_t i = 0; i < ROOF_COUNTERS; ++i) segment->sum[i] = 0;
  segment->accesses = 0;
  segment->guarded = 0;
  segment->code = NULL;
  segment->block = NULL;
  segment->version = 0;
}

static uint16_t collect_shares(const struct roof_segment* segment, struct roof_share* out) {
  uint16_t n = 0;
  for (uint32_t i = 0; i < ROOF_COUNTERS; ++i) {
    if (segment->sum[i] == 0) continue;
    out[n].counter = i;
    out[n].amount = segment->sum[i];
    ++n;
  }
  return n;
}

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void* data, size_t size) {
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ ((const uint8_t*)data)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static int same_bytes(const void* left, const void* right, size_t size) {
  const uint8_t *a = left, *b = right;
  for (size_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return 0;
  return 1;
}

static int same(const struct roof_descriptor* a, const struct roof_descriptor* b) {
  return a->shares == b->shares && a->accesses == b->accesses && a->guarded == b->guarded &&
         a->code == b->code && a->block == b->block && a->version == b->version &&
         same_bytes(a->share, b->share, a->shares * sizeof *a->share) &&
         same_bytes(a->tag, b->tag, a->accesses * sizeof *a->tag);
}

/* Of a kept place there are few: one for each version. */
static const struct roof_descriptor* find_at_block(const struct roof_descriptor* key) {
  const struct roof_descriptor* descriptor = key->block->segments;
  while (descriptor && !same(descriptor, key)) descriptor = descriptor->beside;
  return descriptor;
}

/* A descriptor, its tags and its shares are one block, so that only one allocation can fail. */
static size_t tag_bytes(const struct roof_descriptor* descriptor) {
  if (!descriptor->accesses) return 0;
  return (descriptor->accesses + (size_t)ROOF_TAG_PADDING) * sizeof *descriptor->tag;
}
static size_t block_bytes(const struct roof_descriptor* descriptor) {
  return sizeof *descriptor + tag_bytes(descriptor) +
         descriptor->shares * sizeof(struct roof_share);
}

static struct roof_descriptor* copy_of(const struct roof_segments* segments,
                                       const struct roof_descriptor* key) {
  struct roof_descriptor* copy = roof_memory_allocate(&segments->memory, block_bytes(key));
  if (!copy) return NULL;
  uint64_t* tag = (uint64_t*)(copy + 1);
  struct roof_share* share = (struct roof_share*)((uint8_t*)tag + tag_bytes(key));
  for (uint32_t i = 0; i < key->accesses; ++i) tag[i] = key->tag[i];
  for (uint32_t i = 0; i < key->shares; ++i) share[i] = key->share[i];
  *copy = *key;
  copy->tag = tag;
  copy->share = share;
  return copy;
}

static int make_room_for(struct roof_segments* segments, uint32_t version) {
  if (version < segments->versions) return 1;
  const uint32_t versions = 2 * version + 1;
  struct roof_version* more = roof_memory_allocate(&segments->memory, versions * sizeof *more);
  if (!more) return 0;
  for (uint32_t i = 0; i < segments->versions; ++i) more[i] = segments->version[i];
  roof_memory_release(&segments->memory, segments->version,
                      segments->versions * sizeof *segments->version);
  segments->version = more;
  segments->versions = versions;
  return 1;
}

static int make_room_in(const struct roof_memory* memory, struct roof_version* version) {
  enum { kFirst = 16 };
  if (version->count < version->capacity) return 1;
  const uint32_t capacity = version->capacity ? 2 * version->capacity : kFirst;
  struct roof_numbered* more = roof_memory_allocate(memory, capacity * sizeof *more);
  if (!more) return 0;
  for (uint32_t i = 0; i < version->count; ++i) more[i] = version->item[i];
  roof_memory_release(memory, version->item, version->capacity * sizeof *version->item);
  version->item = more;
  version->capacity = capacity;
  return 1;
}

static void set_hash(struct roof_descriptor* key) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  hash = hash_bytes(hash, key->share, key->shares * sizeof *key->share);
  hash = hash_bytes(hash, key->tag, key->accesses * sizeof *key->tag);
  hash = hash_bytes(hash, &key->code, sizeof key->code);
  key->entry.hash = hash_bytes(hash, &key->version, sizeof key->version);
}

static const struct roof_descriptor* find_in_table(const struct roof_segments* segments,
                                                   const struct roof_descriptor* key) {
  struct roof_entry* entry = roof_table_find(&segments->table, key->entry.hash);
  while (entry && !same((struct roof_descriptor*)entry, key)) entry = roof_table_next(entry);
  return (struct roof_descriptor*)entry;
}

/* Where it is found again. */
static int keep(struct roof_segments* segments, struct roof_descriptor* added) {
  if (!added->block) return roof_table_add(&segments->table, &segments->memory, &added->entry);
  added->beside = added->block->segments;
  added->block->segments = added;
  return 1;
}

static const struct roof_descriptor* add(struct roof_segments* segments,
                                         const struct roof_descriptor* key) {
  if (!make_room_for(segments, key->version)) return NULL;
  struct roof_version* version = &segments->version[key->version];
  if (!make_room_in(&segments->memory, version)) return NULL;
  struct roof_descriptor* added = copy_of(segments, key);
  if (!added) return NULL;
  if (!keep(segments, added)) {
    roof_memory_release(&segments->memory, added, block_bytes(added));
    return NULL;
  }
  added->id = ++segments->count;
  version->item[version->count++] = (struct roof_numbered){added, added->id};
  return added;
}

const struct roof_descriptor* roof_segments_intern(struct roof_segments* segments,
                                                   const struct roof_segment* segment) {
  struct roof_share shares[ROOF_COUNTERS];
  struct roof_descriptor key = {.code = segment->code,
                                .block = segment->block,
                                .version = segment->version,
                                .share = shares,
                                .tag = segment->tag};
  key.shares = collect_shares(segment, shares);
  key.accesses = (uint16_t)segment->accesses;
  key.guarded = (uint16_t)segment->guarded;
  if (!key.block) set_hash(&key);
  const struct roof_descriptor* found =
      key.block ? find_at_block(&key) : find_in_table(segments, &key);
  return found ? found : add(segments, &key);
}

static void fold_block(struct roof_block* block, const struct roof_executor* by, uint64_t times,
                       struct roof_blocks* parts) {
  if (by->layer == ROOF_LAYER_WORK) block->times += times;
  if (parts && by->layer != ROOF_LAYER_OWN) roof_blocks_part(parts, block, by, times);
}

void roof_segments_fold(const struct roof_segments* segments,
                        const struct roof_executions* executions, uint64_t* counters,
                        struct roof_blocks* parts) {
  if (executions->version >= segments->versions) return;
  const struct roof_version* version = &segments->version[executions->version];
  for (uint32_t n = 0; n < version->count && version->item[n].id < executions->size; ++n) {
    uint64_t* counter = &executions->times[version->item[n].id];
    const uint64_t times = __atomic_load_n(counter, __ATOMIC_RELAXED);
    if (times == 0) continue;
    if (!executions->stay) *counter = 0;
    const struct roof_descriptor* descriptor = version->item[n].descriptor;
    if (descriptor->block) fold_block(descriptor->block, &executions->by, times, parts);
    for (uint32_t i = 0; i < descriptor->shares; ++i)
      counters[descriptor->share[i].counter] +=
          times * (uint64_t)(int64_t)descriptor->share[i].amount;
  }
}
