/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nests: loops and functions of the program that were chosen to be paths of their own. A thread is
 * in those that it entered and has not left; each of them has a path below the one around it:
 *
 *  - a loop is entered and left where the control flow of its function crosses its border, and
 *    ends with its frame (return, longjmp, exception);
 *  - a function is entered where it begins and ends with its frame, so that a function that it
 *    ends by jumping to is still inside;
 *  - the code of an inlined function is entered and left as that of a loop, piece by piece: it is
 *    visited where it begins, and its other pieces go on with that;
 *  - whatever is called from inside is inside; if code goes on in another nest behind a call, it is
 *    crossed when that call comes back;
 *  - where a nest is entered again by recursion, the path stays what it is.
 *
 * A nest belongs to the path of markers in which it was entered (`base`): while a thread is in
 * another one, the nest is not seen.
 *
 * Plain C without libc, for every engine. No call may overlap another one on the same nests. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_NESTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_NESTS_H_

#include <stdint.h>

#include "collectors/counting/contexts/table.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where there are nests, paths of markers are below their first one, but for the highest. */
#define ROOF_MOST_NEST_PATHS 10000
#define ROOF_FIRST_NEST_PATH (ROOF_MAX_PATHS - 1 - ROOF_MOST_NEST_PATHS)

/* Nests are numbered from 1; 0 is none. Other nests that one names have smaller numbers. */
struct roof_nest {
  uint32_t around; /* the nest around it in the same function */
  uint32_t is_function;
  uint32_t same; /* the nest whose paths it has: the function whose inlined code it is */
  /* Of inlined code at which no visit begins: where visits do, if control comes back to that in a
   * visit, else any other one. */
  uint32_t rest_of;
};

/* Code of a module: the innermost nest that it belongs to. */
struct roof_nest_range {
  uint32_t module;     /* of the list of modules that comes with it */
  uint32_t nest;       /* 0: code of a function that has nests elsewhere */
  uint64_t begin, end; /* offsets */
};

/* A function that begins inside of nests: the function itself, or a loop that begins with it. */
struct roof_nest_entry {
  uint32_t module;
  uint32_t nest; /* the innermost one */
  uint64_t place;
  /* 1: the body of a construct, which a runtime calls on any thread: no visit of its function. */
  uint32_t goes_on;
};
/* Beside the number of a nest that a function begins in: see `goes_on`. */
#define ROOF_NEST_GOES_ON (UINT32_C(1) << 31)

/* What an engine is asked to follow. Modules, from 1, by the files that they are mapped from. */
struct roof_nest_plan {
  const char* const* files;
  const struct roof_nest* nests;
  const struct roof_nest_range* ranges;
  const struct roof_nest_entry* entries;
  uint64_t module_count, nest_count, range_count, entry_count;
};

/* A path below another one, by a nest that was entered in it. */
struct roof_nest_path {
  struct roof_entry entry;
  uint32_t parent;
  uint32_t nest;
  uint32_t path;
};

/* All zero but `memory`: there are none. */
struct roof_nests {
  struct roof_memory memory;
  struct roof_nest* nest; /* [1 .. count] */
  uint32_t count;
  struct roof_nest_range* range; /* by module and begin; disjoint */
  uint32_t ranges;
  struct roof_nest_entry* entry; /* by module and place */
  uint32_t entries;
  struct roof_table table;      /* of paths */
  struct roof_nest_path** path; /* [0 .. paths), in the order in which they were made */
  uint32_t paths, capacity;
  uint64_t lost_paths; /* entries for which there was no path left */
};

/* What a thread is in, the innermost one last. All zero: in none. */
struct roof_visit {
  uint64_t stack_pointer; /* when it was entered */
  uint32_t nest;
  uint32_t base;
  uint32_t path;
  uint32_t again; /* 1: by recursion, or it goes on with a visit */
  /* Of a call behind which another nest is entered: where it comes back; 0: it is a visit. */
  uint64_t back;
  uint32_t from, to;
};
struct roof_nesting {
  struct roof_visit* visit;
  uint32_t depth, capacity;
};

/* What the caller says, copied. 0 without memory. -1 if ranges or entries are not in order, or name
 * a nest that does not exist. */
int roof_nests_set(struct roof_nests* nests, const struct roof_nest* nest, uint32_t count,
                   const struct roof_nest_range* range, uint32_t ranges,
                   const struct roof_nest_entry* entry, uint32_t entries);

/* The range in which a place lies, or NULL. */
const struct roof_nest_range* roof_nests_at(const struct roof_nests* nests, uint32_t module,
                                            uint64_t place);
/* The nest that begins with a function there, with ROOF_NEST_GOES_ON or not; 0: none. */
uint32_t roof_nests_begin_at(const struct roof_nests* nests, uint32_t module, uint64_t place);

/* The nest around one. */
uint32_t roof_nests_around(const struct roof_nests* nests, uint32_t nest);
/* Where the frame of a visit ends that is entered now. */
uint64_t roof_nests_end_of_frame(const struct roof_nests* nests, const struct roof_nesting* nesting,
                                 uint32_t nest, uint64_t stack_pointer);

/* Whether a path was made for a nest. */
int roof_nests_has_path(const struct roof_nests* nests, uint32_t path);
/* Its number in the order in which they were made, from 1; 0: it was made for none. */
uint32_t roof_nests_number(const struct roof_nests* nests, uint32_t path);
/* The path that such a path is below. */
uint32_t roof_nests_parent(const struct roof_nests* nests, uint32_t path);
/* The path of a thread whose markers say `base`. */
uint32_t roof_nests_path(const struct roof_nesting* nesting, uint32_t base);

/* The thread goes on, by itself, from code of one nest to code of another. Visits from `*known` on
 * are new. 0 without memory. */
int roof_nests_cross(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                     uint32_t from, uint32_t to, uint64_t stack_pointer, uint32_t* known);
/* The thread is where a function begins, in this nest, as roof_nests_begin_at() says: it was
 * called, or a loop has come back. */
int roof_nests_begin(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                     uint32_t nest, uint64_t stack_pointer, uint32_t* known);
/* The thread calls, in one nest, what comes back to the place `back` (not 0) in another one. 0
 * without memory. */
int roof_nests_call(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                    uint32_t from, uint32_t to, uint64_t back, uint64_t stack_pointer);
/* The thread returns to a place. 0 without memory. */
int roof_nests_come_back(struct roof_nests* nests, struct roof_nesting* nesting, uint32_t base,
                         uint64_t place, uint64_t stack_pointer, uint32_t* known);
/* The frames below this stack pointer are gone. */
void roof_nests_return(struct roof_nesting* nesting, uint64_t stack_pointer);
/* The stack pointer above which the innermost visit has ended; the greatest number without one. */
uint64_t roof_nests_end(const struct roof_nesting* nesting);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_NESTS_H_ */
