/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/segments.h"

#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static VgHashTable* table;
static Descriptor** by_id; /* [1 .. count] */
static UInt count;
static UInt capacity;

void segments_init(void) { table = VG_(HT_construct)("roofmark.segments"); }

void segment_clear(Segment* segment) {
  VG_(memset)(segment->sum, 0, sizeof segment->sum);
  segment->accesses = 0;
  segment->guarded = 0;
}

static UInt collect_shares(const Segment* segment, Share* out) {
  UInt n = 0;
  for (UInt i = 0; i < ROOF_COUNTERS; ++i) {
    if (segment->sum[i] == 0) continue;
    out[n].counter = i;
    out[n].amount = segment->sum[i];
    ++n;
  }
  return n;
}

Bool segment_is_empty(const Segment* segment) {
  if (segment->accesses) return False;
  for (UInt i = 0; i < ROOF_COUNTERS; ++i)
    if (segment->sum[i]) return False;
  return True;
}

/* FNV-1a. */
static UWord hash_bytes(UWord hash, const void* data, SizeT size) {
  for (SizeT i = 0; i < size; ++i) hash = (hash ^ ((const UChar*)data)[i]) * 0x100000001b3ULL;
  return hash;
}

static Word compare(const void* left, const void* right) {
  const Descriptor *a = left, *b = right;
  if (a->shares != b->shares || a->accesses != b->accesses || a->guarded != b->guarded) return 1;
  if (VG_(memcmp)(a->share, b->share, a->shares * sizeof(Share))) return 1;
  return a->accesses ? VG_(memcmp)(a->tag, b->tag, a->accesses * sizeof(ULong)) : 0;
}

/* With room for `padding` more bytes, zero. */
static void* copy(const void* data, SizeT size, SizeT padding) {
  if (size == 0) return NULL;
  return VG_(memcpy)(VG_(calloc)("roofmark.descriptor", 1, size + padding), data, size);
}

static Descriptor* add(const Descriptor* key) {
  Descriptor* added = copy(key, sizeof *key, 0);
  added->share = copy(key->share, key->shares * sizeof(Share), 0);
  added->tag = copy(key->tag, key->accesses * sizeof(ULong), kTagPadding * sizeof(ULong));
  added->id = ++count;
  if (count >= capacity) {
    capacity = capacity ? 2 * capacity : 1024;
    by_id = VG_(realloc)("roofmark.descriptors", by_id, capacity * sizeof *by_id);
  }
  by_id[count] = added;
  VG_(HT_add_node)(table, added);
  return added;
}

const Descriptor* segment_intern(const Segment* segment) {
  Share shares[ROOF_COUNTERS];
  Descriptor key = {.share = shares, .tag = segment->tag};
  key.shares = (UShort)collect_shares(segment, shares);
  key.accesses = (UShort)segment->accesses;
  key.guarded = (UShort)segment->guarded;
  key.hash = hash_bytes(0xcbf29ce484222325ULL, shares, key.shares * sizeof(Share));
  key.hash = hash_bytes(key.hash, segment->tag, key.accesses * sizeof(ULong));
  Descriptor* found = VG_(HT_gen_lookup)(table, &key, compare);
  return found ? found : add(&key);
}

UInt segments_count(void) { return count; }

void segments_fold(ULong* executions, UInt size, uint64_t* counters) {
  UInt end = size < count + 1 ? size : count + 1;
  for (UInt id = 1; id < end; ++id) {
    ULong times = executions[id];
    if (times == 0) continue;
    executions[id] = 0;
    const Descriptor* descriptor = by_id[id];
    for (UInt i = 0; i < descriptor->shares; ++i)
      counters[descriptor->share[i].counter] += times * (ULong)(Long)descriptor->share[i].amount;
  }
}
