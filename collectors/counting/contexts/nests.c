/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/nests.h"

#include <stddef.h>

enum { kFirstCapacity = 16, kLastPath = ROOF_MAX_PATHS - 2 };

static void* copy_of(const struct roof_memory* memory, const void* data, size_t bytes) {
  uint8_t* copy = roof_memory_allocate(memory, bytes ? bytes : 1);
  for (size_t i = 0; copy && i < bytes; ++i) copy[i] = ((const uint8_t*)data)[i];
  return copy;
}

static int is_before(uint32_t module, uint64_t place, uint32_t other_module, uint64_t other) {
  return module < other_module || (module == other_module && place < other);
}

static int is_valid(const struct roof_nest* nest, uint32_t count,
                    const struct roof_nest_range* range, uint32_t ranges,
                    const struct roof_nest_entry* entry, uint32_t entries) {
  for (uint32_t i = 0; i < count; ++i)
    if (nest[i].around > i || nest[i].same > i || nest[i].rest_of > i) return 0;
  for (uint32_t i = 0; i < ranges; ++i) {
    if (range[i].nest > count || range[i].begin >= range[i].end) return 0;
    if (i > 0 && is_before(range[i].module, range[i].begin, range[i - 1].module, range[i - 1].end))
      return 0;
  }
  for (uint32_t i = 0; i < entries; ++i) {
    if (entry[i].nest == 0 || entry[i].nest > count) return 0;
    if (i > 0 &&
        !is_before(entry[i - 1].module, entry[i - 1].place, entry[i].module, entry[i].place))
      return 0;
  }
  return 1;
}

int roof_nests_set(struct roof_nests* nests, const struct roof_nest* nest, uint32_t count,
                   const struct roof_nest_range* range, uint32_t ranges,
                   const struct roof_nest_entry* entry, uint32_t entries) {
  if (!is_valid(nest, count, range, ranges, entry, entries)) return -1;
  struct roof_nest* nests_from_1 = roof_memory_allocate(&nests->memory, (count + 1) * sizeof *nest);
  nests->range = copy_of(&nests->memory, range, ranges * sizeof *range);
  nests->entry = copy_of(&nests->memory, entry, entries * sizeof *entry);
  if (!nests_from_1 || !nests->range || !nests->entry) return 0;
  for (uint32_t i = 0; i < count; ++i) nests_from_1[i + 1] = nest[i];
  nests->nest = nests_from_1;
  nests->count = count;
  nests->ranges = ranges;
  nests->entries = entries;
  return 1;
}

const struct roof_nest_range* roof_nests_at(const struct roof_nests* nests, uint32_t module,
                                            uint64_t place) {
  uint32_t low = 0, high = nests->ranges; /* the first range that ends behind the place */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const struct roof_nest_range* range = nests->range + middle;
    if (is_before(module, place, range->module, range->end)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const struct roof_nest_range* range = nests->range + low;
  return low < nests->ranges && range->module == module && range->begin <= place ? range : NULL;
}

uint32_t roof_nests_begin_at(const struct roof_nests* nests, uint32_t module, uint64_t place) {
  uint32_t low = 0, high = nests->entries;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const struct roof_nest_entry* entry = nests->entry + middle;
    if (entry->module == module && entry->place == place)
      return entry->nest | (entry->goes_on ? ROOF_NEST_GOES_ON : 0);
    if (is_before(entry->module, entry->place, module, place)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}

static int append_path(struct roof_nests* nests, struct roof_nest_path* path) {
  if (nests->paths == nests->capacity) {
    const uint32_t capacity = nests->capacity ? 2 * nests->capacity : kFirstCapacity;
    struct roof_nest_path** more = roof_memory_allocate(&nests->memory, capacity * sizeof *more);
    if (!more) return 0;
    for (uint32_t i = 0; i < nests->paths; ++i) more[i] = nests->path[i];
    roof_memory_release(&nests->memory, nests->path, nests->capacity * sizeof *more);
    nests->path = more;
    nests->capacity = capacity;
  }
  if (!roof_table_add(&nests->table, &nests->memory, &path->entry)) return 0;
  nests->path[nests->paths++] = path;
  return 1;
}

/* The path of a nest that is entered in `parent`; where no number is left, `parent`. -1 without
 * memory. */
static int64_t path_below(struct roof_nests* nests, uint32_t parent, uint32_t nest) {
  const uint64_t hash = (uint64_t)parent << 32 | nest;
  const struct roof_nest_path* known =
      (const struct roof_nest_path*)roof_table_find(&nests->table, hash);
  if (known) return known->path;
  if (nests->paths == ROOF_MOST_NEST_PATHS) {
    ++nests->lost_paths;
    return parent;
  }
  struct roof_nest_path* path = roof_memory_allocate(&nests->memory, sizeof *path);
  if (!path) return -1;
  path->entry.hash = hash;
  path->parent = parent;
  path->nest = nest;
  path->path = kLastPath - nests->paths;
  if (append_path(nests, path)) return path->path;
  roof_memory_release(&nests->memory, path, sizeof *path);
  return -1;
}

int roof_nests_has_path(const struct roof_nests* nests, uint32_t path) {
  return path <= kLastPath && path > kLastPath - nests->paths;
}

uint32_t roof_nests_number(const struct roof_nests* nests, uint32_t path) {
  return roof_nests_has_path(nests, path) ? kLastPath - path + 1 : 0;
}

uint32_t roof_nests_parent(const struct roof_nests* nests, uint32_t path) {
  return nests->path[kLastPath - path]->parent;
}

static const struct roof_visit* innermost(const struct roof_nesting* nesting) {
  return nesting->depth ? nesting->visit + nesting->depth - 1 : NULL;
}

uint32_t roof_nests_path(const struct roof_nesting* nesting, uint32_t base) {
  const struct roof_visit* visit = innermost(nesting);
  return visit && visit->base == base ? visit->path : base;
}

uint32_t roof_nests_around(const struct roof_nests* nests, uint32_t nest) {
  return nest ? nests->nest[nest].around : 0;
}

/* The one that its paths end with. */
static uint32_t identity_of(const struct roof_nests* nests, uint32_t nest) {
  return nest && nests->nest[nest].same ? nests->nest[nest].same : nest;
}

/* By its own visits, or by those of the thread that it works for. */
static int is_inside(const struct roof_nests* nests, const struct roof_nesting* nesting,
                     uint32_t base, uint32_t nest) {
  for (uint32_t i = nesting->depth; i > 0 && nesting->visit[i - 1].base == base; --i)
    if (identity_of(nests, nesting->visit[i - 1].nest) == nest) return 1;
  for (; roof_nests_has_path(nests, base); base = nests->path[kLastPath - base]->parent)
    if (nests->path[kLastPath - base]->nest == nest) return 1;
  return 0;
}

static int append_visit(struct roof_nests* nests, struct roof_nesting* nesting,
                        const struct roof_visit* visit) {
  if (nesting->depth == nesting->capacity) {
    const uint32_t capacity = nesting->capacity ? 2 * nesting->capacity : kFirstCapacity;
    struct roof_visit* more = roof_memory_allocate(&nests->memory, capacity * sizeof *more);
    if (!more) return 0;
    for (uint32_t i = 0; i < nesting->depth; ++i) more[i] = nesting->visit[i];
    roof_memory_release(&nests->memory, nesting->visit, nesting->capacity * sizeof *more);
    nesting->visit = more;
    nesting->capacity = capacity;
  }
  nesting->visit[nesting->depth++] = *visit;
  return 1;
}

/* Comes from `left`, which is not around it, or from 0. */
static int goes_on(const struct roof_nests* nests, uint32_t nest, uint32_t left) {
  for (; left; left = nests->nest[left].around)
    if (nests->nest[left].rest_of == nest) return 1;
  return nests->nest[nest].rest_of != 0;
}

/* Where arguments lie on the stack, nests are entered below the place at which the frame ends: that
 * of the nest around, in the same frame, is known better. */
uint64_t roof_nests_end_of_frame(const struct roof_nests* nests, const struct roof_nesting* nesting,
                                 uint32_t nest, uint64_t stack_pointer) {
  const struct roof_visit* around = innermost(nesting);
  const int same_frame = nest && around && around->nest && around->nest == nests->nest[nest].around;
  return same_frame && around->stack_pointer > stack_pointer ? around->stack_pointer
                                                             : stack_pointer;
}

static int push(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                uint32_t nest, uint32_t left, int in_body, uint64_t stack_pointer) {
  const uint32_t parent = roof_nests_path(nesting, base);
  const uint32_t identity = identity_of(nests, nest);
  const int again = is_inside(nests, nesting, base, identity);
  const int64_t path = again ? parent : path_below(nests, parent, identity);
  if (path < 0) return 0;
  const struct roof_visit visit = {
      .stack_pointer = roof_nests_end_of_frame(nests, nesting, nest, stack_pointer),
      .nest = nest,
      .base = base,
      .path = (uint32_t)path,
      .again = again || (in_body && nests->nest[nest].is_function) || goes_on(nests, nest, left)};
  return append_visit(nests, nesting, &visit);
}

/* Those around it first. */
static int push_from(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                     uint32_t nest, uint32_t outside, uint32_t left, int in_body,
                     uint64_t stack_pointer) {
  if (nest == outside) return 1;
  const uint32_t around = nests->nest[nest].around;
  return push_from(nests, nesting, base, around, outside, left, in_body, stack_pointer) &&
         push(nests, nesting, base, nest, left, in_body, stack_pointer);
}

static int is_around(const struct roof_nests* nests, uint32_t outer, uint32_t inner) {
  while (inner > outer) inner = nests->nest[inner].around;
  return inner == outer;
}

int roof_nests_cross(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                     uint32_t from, uint32_t to, uint64_t stack_pointer, uint32_t* known) {
  const uint32_t left = from;
  roof_nests_return(nesting, stack_pointer);
  while (from && !is_around(nests, from, to) && !nests->nest[from].is_function) {
    const struct roof_visit* visit = innermost(nesting);
    if (visit && visit->nest == from) --nesting->depth;
    from = nests->nest[from].around;
  }
  *known = nesting->depth;
  /* A function that the thread jumps to is entered where it begins. */
  if (!is_around(nests, from, to)) return 1;
  return push_from(nests, nesting, base, to, from, left, 0, stack_pointer);
}

int roof_nests_begin(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                     uint32_t begun, uint64_t stack_pointer, uint32_t* known) {
  const uint32_t nest = begun & ~ROOF_NEST_GOES_ON;
  roof_nests_return(nesting, stack_pointer);
  *known = nesting->depth;
  const struct roof_visit* visit = innermost(nesting);
  if (visit && visit->nest == nest && visit->stack_pointer == stack_pointer) return 1;
  return push_from(nests, nesting, base, nest, 0, 0, begun != nest, stack_pointer);
}

int roof_nests_call(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                    uint32_t from, uint32_t to, uint64_t back, uint64_t stack_pointer) {
  roof_nests_return(nesting, stack_pointer);
  const struct roof_visit call = {.stack_pointer = stack_pointer,
                                  .base = base,
                                  .path = roof_nests_path(nesting, base),
                                  .again = 1,
                                  .back = back,
                                  .from = from,
                                  .to = to};
  return append_visit(nests, nesting, &call);
}

int roof_nests_come_back(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                         uint64_t place, uint64_t stack_pointer, uint32_t* known) {
  const uint32_t depth = nesting->depth;
  roof_nests_return(nesting, stack_pointer);
  *known = nesting->depth;
  if (nesting->depth == depth) return 1;
  const struct roof_visit ended = nesting->visit[nesting->depth]; /* the outermost one */
  if (ended.back != place || !place) return 1;
  return roof_nests_cross(nests, nesting, base, ended.from, ended.to, stack_pointer, known);
}

void roof_nests_return(struct roof_nesting* nesting, uint64_t stack_pointer) {
  while (nesting->depth && nesting->visit[nesting->depth - 1].stack_pointer < stack_pointer)
    --nesting->depth;
}

uint64_t roof_nests_end(const struct roof_nesting* nesting) {
  const struct roof_visit* visit = innermost(nesting);
  return visit ? visit->stack_pointer : UINT64_MAX;
}
