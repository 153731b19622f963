/* SPDX-License-Identifier: BSD-3-Clause
 *
 * roofmark: markers for loop nests. C99 and C++11; the only header an application in C needs.
 *
 *     #include <roofmark/roofmark.h>
 *     ROOF_REGION_BEGIN("stencil");
 *     #pragma omp parallel for
 *     for (...) ...
 *     ROOF_REGION_END("stencil");
 *
 * Link with -lroofmark. Markers are off, at the cost of one load and a branch, unless a ROOFMARK*
 * environment variable is set or the program is started by `roofmark run`. Compiled with
 * -DROOFMARK_DISABLE they vanish.
 *
 * Scope. A region begun by the process's main thread outside every parallel construct is a team
 * region: it covers all threads of the process. One begun inside a parallel construct, or on any
 * other thread, covers the calling thread and hangs below the team region open at that moment.
 *
 * Errors. No function here fails, blocks, prints to stdout, exits or throws; all may be called from
 * any thread at any time, before main and after MPI_Finalize included. What goes wrong (an END
 * without its BEGIN, say) is counted and reported once, at the end, with both places' names. An END
 * that does not match the innermost open region closes the regions above the one it names, or is
 * ignored if none is open by that name.
 */
#ifndef ROOFMARK_ROOFMARK_H_
#define ROOFMARK_ROOFMARK_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFMARK_VERSION_MAJOR 0
#define ROOFMARK_VERSION_MINOR 1

/* One marker in the source. Static storage; zero-initialised but for name, file and line. The
 * library writes the rest. The layout is part of the ABI. */
typedef struct roofmark_site {
  const char* name; /* region's name: a string that lives as long as the program */
  const char* file;
  uint32_t line;
  uint32_t state; /* 0: not visited yet, 1: recording is off, 2: on */
  uint32_t id;    /* of the name; 0 until resolved */
  uint32_t reserved[3];
} roofmark_site;

#define ROOFMARK_SITE_OFF 1u

/* `level` is omp_get_level() of the caller, or -1 if the caller was compiled without OpenMP (the
 * library then asks the OpenMP runtime, if there is one in the process). */
void roofmark_region_begin(roofmark_site* site, int level);
void roofmark_region_end(roofmark_site* site);

/* Declares canonical work of the innermost region open on this thread (or of the team region, on a
 * thread that has none of its own): floating-point operations and bytes moved to and from memory,
 * as the algorithm states them. Adds up. */
void roofmark_region_work(uint64_t flops, uint64_t bytes);
void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes);

/* Declares operations of the program's own kind (updates, exchanges, comparisons) of the same
 * region: `site` holds the kind's name. Work that does no FLOPs is held against the machine in
 * them. A region has one kind, its first; a region around others has theirs if they have the same.
 */
void roofmark_site_operations(roofmark_site* site, uint64_t count);
void roofmark_operations_named(const char* kind, uint64_t count);

/* Regions whose names are made at run time. The name is copied at its first visit; later visits
 * cost one comparison of the text. */
void roofmark_begin_named(const char* name);
void roofmark_end_named(const char* name);

/* 1 if recording is on. */
int roofmark_active(void);

/* "0.1.0" */
const char* roofmark_version(void);

#ifdef __cplusplus
}
#endif

#ifdef ROOFMARK_DISABLE

#define ROOF_REGION_BEGIN(name) ((void)0)
#define ROOF_REGION_END(name) ((void)0)
#define ROOF_REGION_WORK(flops, bytes) ((void)0)
#define ROOF_REGION_OPS(kind, count) ((void)0)

#else

#ifdef _OPENMP
#include <omp.h>
#define ROOFMARK_LEVEL_() omp_get_level()
#else
#define ROOFMARK_LEVEL_() (-1)
#endif

#if defined(__GNUC__)
#define ROOFMARK_STATE_(site) __atomic_load_n(&(site).state, __ATOMIC_RELAXED)
#define ROOFMARK_UNLIKELY_(condition) __builtin_expect(!!(condition), 0)
#else
#define ROOFMARK_STATE_(site) (*(volatile uint32_t*)&(site).state)
#define ROOFMARK_UNLIKELY_(condition) (condition)
#endif

#define ROOFMARK_SITE_(name)                      \
  {                                               \
    (name), __FILE__, __LINE__, 0, 0, { 0, 0, 0 } \
  }

/* `name` is a string literal. */
#define ROOF_REGION_BEGIN(name)                                                   \
  do {                                                                            \
    static roofmark_site roofmark_site_ = ROOFMARK_SITE_(name);                   \
    if (ROOFMARK_UNLIKELY_(ROOFMARK_STATE_(roofmark_site_) != ROOFMARK_SITE_OFF)) \
      roofmark_region_begin(&roofmark_site_, ROOFMARK_LEVEL_());                  \
  } while (0)

#define ROOF_REGION_END(name)                                                     \
  do {                                                                            \
    static roofmark_site roofmark_site_ = ROOFMARK_SITE_(name);                   \
    if (ROOFMARK_UNLIKELY_(ROOFMARK_STATE_(roofmark_site_) != ROOFMARK_SITE_OFF)) \
      roofmark_region_end(&roofmark_site_);                                       \
  } while (0)

/* The arguments are not evaluated while recording is off. */
#define ROOF_REGION_WORK(flops, bytes)                                            \
  do {                                                                            \
    static roofmark_site roofmark_site_ = ROOFMARK_SITE_("");                     \
    if (ROOFMARK_UNLIKELY_(ROOFMARK_STATE_(roofmark_site_) != ROOFMARK_SITE_OFF)) \
      roofmark_site_work(&roofmark_site_, (uint64_t)(flops), (uint64_t)(bytes));  \
  } while (0)

/* `kind` is a string literal: "updates". The count is not evaluated while recording is off. */
#define ROOF_REGION_OPS(kind, count)                                              \
  do {                                                                            \
    static roofmark_site roofmark_site_ = ROOFMARK_SITE_(kind);                   \
    if (ROOFMARK_UNLIKELY_(ROOFMARK_STATE_(roofmark_site_) != ROOFMARK_SITE_OFF)) \
      roofmark_site_operations(&roofmark_site_, (uint64_t)(count));               \
  } while (0)

#endif /* ROOFMARK_DISABLE */

#endif /* ROOFMARK_ROOFMARK_H_ */
