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

/* A descriptor, its tags and its shares are one block, so that only one allocation can fail. */
static size_t tag_bytes(const struct roof_descriptor* descriptor) {
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

const struct roof_descriptor* roof_segments_of_version(const struct roof_segments* segments,
                                                       uint32_t version) {
  return version < segments->versions ? segments->newest[version] : NULL;
}

static int make_room_for(struct roof_segments* segments, uint32_t version) {
  if (version < segments->versions) return 1;
  const uint32_t versions = 2 * version + 1;
  const struct roof_descriptor** more =
      roof_memory_allocate(&segments->memory, versions * sizeof *more);
  if (!more) return 0;
  for (uint32_t i = 0; i < segments->versions; ++i) more[i] = segments->newest[i];
  roof_memory_release(&segments->memory, (void*)segments->newest,
                      segments->versions * sizeof *segments->newest);
  segments->newest = more;
  segments->versions = versions;
  return 1;
}

static const struct roof_descriptor* add(struct roof_segments* segments,
                                         const struct roof_descriptor* key) {
  if (!make_room_for(segments, key->version)) return NULL;
  struct roof_descriptor* added = copy_of(segments, key);
  if (!added) return NULL;
  if (!roof_table_add(&segments->table, &segments->memory, &added->entry)) {
    roof_memory_release(&segments->memory, added, block_bytes(added));
    return NULL;
  }
  added->id = ++segments->count;
  added->before = segments->newest[key->version];
  segments->newest[key->version] = added;
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
  key.entry.hash = hash_bytes(UINT64_C(0xcbf29ce484222325), shares, key.shares * sizeof *shares);
  key.entry.hash = hash_bytes(key.entry.hash, segment->tag, key.accesses * sizeof *segment->tag);
  key.entry.hash = hash_bytes(key.entry.hash, &key.code, sizeof key.code);
  key.entry.hash = hash_bytes(key.entry.hash, &key.block, sizeof key.block);
  key.entry.hash = hash_bytes(key.entry.hash, &key.version, sizeof key.version);
  for (struct roof_entry* entry = roof_table_find(&segments->table, key.entry.hash); entry;
       entry = roof_table_next(entry)) {
    if (same((struct roof_descriptor*)entry, &key)) return (struct roof_descriptor*)entry;
  }
  return add(segments, &key);
}

static void fold_block(struct roof_block* block, const struct roof_executor* by, uint64_t times,
                       struct roof_blocks* parts) {
  if (by->layer == ROOF_LAYER_WORK) block->times += times;
  if (parts && by->layer != ROOF_LAYER_OWN) roof_blocks_part(parts, block, by, times);
}

void roof_segments_fold(const struct roof_segments* segments,
                        const struct roof_executions* executions, uint64_t* counters,
                        struct roof_blocks* parts) {
  const struct roof_descriptor* descriptor =
      roof_segments_of_version(segments, executions->version);
  for (; descriptor; descriptor = descriptor->before) {
    const uint64_t times =
        descriptor->id < executions->size ? executions->times[descriptor->id] : 0;
    if (times == 0) continue;
    executions->times[descriptor->id] = 0;
    if (descriptor->block) fold_block(descriptor->block, &executions->by, times, parts);
    for (uint32_t i = 0; i < descriptor->shares; ++i)
      counters[descriptor->share[i].counter] +=
          times * (uint64_t)(int64_t)descriptor->share[i].amount;
  }
}
