/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/three_cs.h"

#include "collectors/counting/cache/record.h"
#include "collectors/counting/hash.h"
#include "collectors/counting/schema.h"

#define CHUNK_LINES 512u
#define FIRST_CHUNKS 1024u

int roof_three_cs_start(struct roof_three_cs* cs, uint64_t lines, uint32_t one_in,
                        uint64_t weight) {
  cs->sample_shift = (uint32_t)__builtin_ctz(one_in);
  cs->weight = weight * one_in;
  lines >>= cs->sample_shift;
  cs->capacity = lines ? (uint32_t)lines : 1;
  for (cs->bucket_bits = 4; (UINT64_C(1) << cs->bucket_bits) < cs->capacity;) ++cs->bucket_bits;
  cs->chunks_size = FIRST_CHUNKS;
  cs->nodes = roof_memory_allocate(&cs->memory, ((size_t)cs->capacity + 1) * sizeof *cs->nodes);
  cs->buckets = roof_memory_allocate(&cs->memory, sizeof *cs->buckets << cs->bucket_bits);
  cs->chunks = roof_memory_allocate(&cs->memory, cs->chunks_size * sizeof *cs->chunks);
  cs->on = cs->nodes && cs->buckets && cs->chunks;
  if (!cs->on) roof_three_cs_stop(cs);
  return (int)cs->on;
}

void roof_three_cs_stop(struct roof_three_cs* cs) {
  roof_memory_release(&cs->memory, cs->nodes, ((size_t)cs->capacity + 1) * sizeof *cs->nodes);
  roof_memory_release(&cs->memory, cs->buckets, sizeof *cs->buckets << cs->bucket_bits);
  roof_memory_release(&cs->memory, cs->chunks, cs->chunks_size * sizeof *cs->chunks);
  cs->nodes = NULL;
  cs->buckets = NULL;
  cs->chunks = NULL;
  cs->on = 0;
}

/* The fully-associative cache. */

static uint32_t find(const struct roof_three_cs* cs, uint64_t line) {
  uint32_t node = cs->buckets[roof_hash(line, cs->bucket_bits)];
  while (node && cs->nodes[node].line != line) node = cs->nodes[node].chain;
  return node;
}

static void unlink_use(struct roof_three_cs* cs, uint32_t node) {
  const struct roof_node* n = &cs->nodes[node];
  *(n->newer ? &cs->nodes[n->newer].older : &cs->newest) = n->older;
  *(n->older ? &cs->nodes[n->older].newer : &cs->oldest) = n->newer;
}

static void link_newest(struct roof_three_cs* cs, uint32_t node) {
  cs->nodes[node].newer = 0;
  cs->nodes[node].older = cs->newest;
  *(cs->newest ? &cs->nodes[cs->newest].newer : &cs->oldest) = node;
  cs->newest = node;
}

static void unlink_bucket(struct roof_three_cs* cs, uint32_t node) {
  uint32_t* at = &cs->buckets[roof_hash(cs->nodes[node].line, cs->bucket_bits)];
  while (*at != node) at = &cs->nodes[*at].chain;
  *at = cs->nodes[node].chain;
}

/* A node off every list: thrown out, never used, or the least recently used. */
static uint32_t take_node(struct roof_three_cs* cs) {
  uint32_t node = cs->free_node;
  if (node) {
    cs->free_node = cs->nodes[node].chain;
  } else if (cs->used < cs->capacity) {
    node = ++cs->used;
  } else {
    node = cs->oldest;
    unlink_use(cs, node);
    unlink_bucket(cs, node);
  }
  return node;
}

/* Uses the line; 1 if the fully-associative cache had it. */
static int use(struct roof_three_cs* cs, uint64_t line) {
  uint32_t node = find(cs, line);
  if (node) {
    if (node != cs->newest) {
      unlink_use(cs, node);
      link_newest(cs, node);
    }
    return 1;
  }
  node = take_node(cs);
  uint32_t* bucket = &cs->buckets[roof_hash(line, cs->bucket_bits)];
  cs->nodes[node].line = line;
  cs->nodes[node].chain = *bucket;
  *bucket = node;
  link_newest(cs, node);
  return 0;
}

void roof_three_cs_forget(struct roof_three_cs* cs, uint64_t line) {
  if (!ROOF_SAMPLE_SELECTED(line << 6, cs->sample_shift)) return;
  const uint32_t node = find(cs, line);
  if (!node) return;
  unlink_use(cs, node);
  unlink_bucket(cs, node);
  cs->nodes[node].chain = cs->free_node;
  cs->free_node = node;
}

/* The set of lines ever filled. */

static struct roof_chunk* chunk_of(struct roof_chunk* chunks, uint64_t size, uint64_t tag) {
  uint64_t at = roof_hash(tag, 32) & (size - 1);
  while (chunks[at].tag && chunks[at].tag != tag) at = (at + 1) & (size - 1);
  return &chunks[at];
}

static int grow(struct roof_three_cs* cs) {
  const uint64_t size = cs->chunks_size * 2;
  struct roof_chunk* chunks = roof_memory_allocate(&cs->memory, size * sizeof *chunks);
  if (!chunks) return 0;
  for (uint64_t i = 0; i < cs->chunks_size; ++i) {
    if (cs->chunks[i].tag) *chunk_of(chunks, size, cs->chunks[i].tag) = cs->chunks[i];
  }
  roof_memory_release(&cs->memory, cs->chunks, cs->chunks_size * sizeof *cs->chunks);
  cs->chunks = chunks;
  cs->chunks_size = size;
  return 1;
}

/* Remembers the line: 1 if it is new, 0 if not, -1 without memory. */
static int first_time(struct roof_three_cs* cs, uint64_t line) {
  const uint64_t tag = line / CHUNK_LINES + 1;
  struct roof_chunk* chunk = chunk_of(cs->chunks, cs->chunks_size, tag);
  if (!chunk->tag) {
    /* Half full at most, so that a search meets few others. */
    if (cs->chunks_used * 2 >= cs->chunks_size) {
      if (!grow(cs)) return -1;
      chunk = chunk_of(cs->chunks, cs->chunks_size, tag);
    }
    chunk->tag = tag;
    ++cs->chunks_used;
  }
  uint64_t* bits = &chunk->bits[line % CHUNK_LINES / 64];
  const uint64_t bit = UINT64_C(1) << line % 64;
  const int is_new = !(*bits & bit);
  *bits |= bit;
  return is_new;
}

void roof_three_cs_request(struct roof_three_cs* cs, uint64_t line, int miss, uint64_t* counters) {
  if (!ROOF_SAMPLE_SELECTED(line << 6, cs->sample_shift)) return;
  const int had = use(cs, line);
  if (!miss) return;
  const int is_new = first_time(cs, line);
  if (is_new < 0) {
    cs->unclassified += cs->weight;
    return;
  }
  const int cause =
      is_new ? ROOF_C_MISSES_COMPULSORY : (had ? ROOF_C_MISSES_CONFLICT : ROOF_C_MISSES_CAPACITY);
  counters[cause] += cs->weight;
}
