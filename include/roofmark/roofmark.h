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
 * environment variable is set when the library is loaded, or the program is started by `roofmark
 * run`. In a program with more rights than its caller (setuid, setgid, file capabilities) they are
 * always off. Compiled with -DROOFMARK_DISABLE the macros and functions do nothing and need no
 * library.
 *
 * Scope. A region begun by the process's main thread outside every parallel construct is a team
 * region: it covers all threads of the process. One begun inside a parallel construct, or on any
 * other thread, covers the calling thread and hangs below the team region open at that moment.
 *
 * Errors. No function here fails, prints to stdout, exits or throws. What goes wrong (an END
 * without its BEGIN, say) is counted and reported once, at the end, with the names of both places.
 * An END that does not match the innermost open region closes the regions above the one it names,
 * or is ignored if none is open by that name.
 *
 * Threads. Every function may be called on any thread, before main and after MPI_Finalize included.
 * A marker that was visited before on its thread takes no lock and does not wait. At both ends of a
 * long visit (200 times as long as the question takes: about 40 us) it also asks the kernel what it
 * did for the thread (getrusage). These do wait:
 * - the first visit of a region on a thread, and one whose entry in the thread's table of 64 was
 *   taken by another region: a lock, and memory from the heap or the spool;
 * - every boundary while a collector reads counters: a system call for each thread counted;
 * - an END that does not match: a lock and memory;
 * - with ROOFMARK_SYNC, outermost team regions wait for the other ranks of the node.
 * Limits. A process tells 65,534 paths apart; at most 256 names are open one in another, and 65,535
 * regions on a thread. What goes beyond is not recorded, and the file says how often.
 *
 * The thread's state. No function changes errno, the signal mask or the floating-point environment,
 * none is a cancellation point, and each needs at most 4 KiB of stack, those of roofmark/mpi.h
 * excepted. The same holds for the beginning and the end of a thread while hardware counters are
 * read. With recording off a marker needs 200 bytes. Like all but three functions of POSIX, none
 * may be called with PTHREAD_CANCEL_ASYNCHRONOUS.
 *
 * Signals. With recording off everything is safe in a signal handler. With recording on, a marker
 * in a handler that interrupted a function of this library on the same thread has no effect, and
 * the file says how many had none. Of the others those are safe that do not wait (above); those
 * that wait take locks and memory, and can deadlock if the handler has interrupted malloc.
 * roofmark_active and roofmark_version are always safe. A handler that leaves such a function by
 * siglongjmp ends the recording of its thread.
 *
 * Fork. A forked child may call everything; nothing is recorded in it, and the
 * parent's data is not touched.
 */
#ifndef ROOFMARK_ROOFMARK_H_
#define ROOFMARK_ROOFMARK_H_

#include <stddef.h>
#include <stdint.h>

/* The one place of the version: CMake reads it from here. */
#define ROOFMARK_VERSION_MAJOR 0
#define ROOFMARK_VERSION_MINOR 1
#define ROOFMARK_VERSION_PATCH 0

/* One marker in the source. Static storage; made by ROOFMARK_SITE_. The layout is part of the ABI:
 * later versions append members, and the library touches none that `version` does not have. */
#define ROOFMARK_SITE_VERSION 1u
typedef struct roofmark_site {
  const char* name; /* region's name: a string that lives as long as the site */
  const char* file;
  uint32_t line;
  uint32_t version; /* ROOFMARK_SITE_VERSION of the header that the marker was compiled with */
  uint32_t state;   /* 0: not visited yet, 1: recording is off, 2: on; the library writes it */
  uint32_t id;      /* of the name; 0 until resolved; the library writes it */
  uint32_t reserved[2];
} roofmark_site;

#define ROOFMARK_SITE_OFF 1u

#define ROOFMARK_SITE_(name)                                          \
  {                                                                   \
    (name), __FILE__, __LINE__, ROOFMARK_SITE_VERSION, 0, 0, { 0, 0 } \
  }

/* A site keeps the first name that it sees, so the name must be a string literal: of anything else
 * these make a syntax error that tells which function takes names made at run time. */
#define ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name) "" name ""
#define ROOFMARK_NO_LITERAL_USE_roofmark_operations(kind) "" kind ""

#ifdef __cplusplus
#define ROOFMARK_UINT64_(value) static_cast<uint64_t>(value)
#else
#define ROOFMARK_UINT64_(value) ((uint64_t)(value))
#endif

#ifdef ROOFMARK_DISABLE
#include <roofmark/disabled.h>
#else

#ifdef __cplusplus
extern "C" {
#endif

/* Regions whose names are made at run time. The name is copied at its first visit; later visits
 * cost one comparison of the text. */
void roofmark_begin(const char* name);
void roofmark_end(const char* name);

/* Declares canonical work of the innermost region open on this thread (or of the team region, on a
 * thread that has none of its own): floating-point operations and bytes moved to and from memory,
 * as the algorithm states them. Adds up. Waits as a marker does at its first visit. */
void roofmark_work(uint64_t flops, uint64_t bytes);

/* Declares operations of the program's own kind (updates, exchanges, comparisons) of the same
 * region. Work that does no FLOPs is held against the machine in them. A region has one kind, its
 * first; a region around others has theirs if they have the same. */
void roofmark_operations(const char* kind, uint64_t count);

/* Between both nothing is recorded, on any thread of the process: regions that begin have no visit,
 * declared work is dropped, nothing is counted. They nest: the last resume ends the pause; one too
 * many is ignored. A region that is open keeps its time, the pause included, but has no counts of
 * it; the file says how many pauses fell into its visits (`pauses`). Only memory controllers, which
 * belong to the whole package, go on. To keep a pause out of a region's time, end it before. A
 * thread that is in a marker at that moment finishes it. Both take locks, and wait for what
 * switching the collector costs: a read of all threads' counters, or, under the counting engine, a
 * new translation. */
void roofmark_pause(void);
void roofmark_resume(void);

/* 1 if recording is on, paused or not. Never waits. */
int roofmark_active(void);

/* "0.1.0"; of the library, where ROOFMARK_VERSION_* are of the header. Never waits. */
const char* roofmark_version(void);

/* What the macros call. `level` is omp_get_level() of the caller, or -1 if the caller was compiled
 * without OpenMP (the library then asks the OpenMP runtime, if there is one in the process). For
 * operations the site holds the kind's name. */
void roofmark_site_begin(roofmark_site* site, int level);
void roofmark_site_end(roofmark_site* site);
void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes);
void roofmark_site_operations(roofmark_site* site, uint64_t count);

#ifdef __cplusplus
}
#endif

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
#define ROOFMARK_IS_ON_(site) ROOFMARK_UNLIKELY_(ROOFMARK_STATE_(site) != ROOFMARK_SITE_OFF)

/* `name` is a string literal. */
#define ROOF_REGION_BEGIN(name)                                                                   \
  do {                                                                                            \
    static roofmark_site roofmark_site_ =                                                         \
        ROOFMARK_SITE_(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name));            \
    if (ROOFMARK_IS_ON_(roofmark_site_)) roofmark_site_begin(&roofmark_site_, ROOFMARK_LEVEL_()); \
  } while (0)

#define ROOF_REGION_END(name)                                                          \
  do {                                                                                 \
    static roofmark_site roofmark_site_ =                                              \
        ROOFMARK_SITE_(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name)); \
    if (ROOFMARK_IS_ON_(roofmark_site_)) roofmark_site_end(&roofmark_site_);           \
  } while (0)

/* The arguments are not evaluated while recording is off. */
#define ROOF_REGION_WORK(flops, bytes)                                                       \
  do {                                                                                       \
    static roofmark_site roofmark_site_ = ROOFMARK_SITE_("");                                \
    if (ROOFMARK_IS_ON_(roofmark_site_))                                                     \
      roofmark_site_work(&roofmark_site_, ROOFMARK_UINT64_(flops), ROOFMARK_UINT64_(bytes)); \
  } while (0)

/* `kind` is a string literal: "updates". The count is not evaluated while recording is off. */
#define ROOF_REGION_OPERATIONS(kind, count)                                \
  do {                                                                     \
    static roofmark_site roofmark_site_ =                                  \
        ROOFMARK_SITE_(ROOFMARK_NO_LITERAL_USE_roofmark_operations(kind)); \
    if (ROOFMARK_IS_ON_(roofmark_site_))                                   \
      roofmark_site_operations(&roofmark_site_, ROOFMARK_UINT64_(count));  \
  } while (0)

#if !defined(__cplusplus) && defined(__GNUC__)
static inline roofmark_site* roofmark_function_begin_(roofmark_site* site, int level) {
  if (!ROOFMARK_IS_ON_(*site)) return NULL;
  roofmark_site_begin(site, level);
  return site;
}
static inline void roofmark_function_end_(roofmark_site* const* site) {
  if (ROOFMARK_UNLIKELY_(*site != NULL)) roofmark_site_end(*site);
}

/* A region named after the function that it stands in, from here to wherever the function is left
 * (not by longjmp): `ROOF_FUNCTION;`. In C it needs the cleanup attribute of GCC, which Clang and
 * the compilers built on it have; elsewhere, use ROOF_REGION_BEGIN. In C++: roofmark.hpp. */
#define ROOF_FUNCTION                                                      \
  static roofmark_site roofmark_function_site_ = ROOFMARK_SITE_(__func__); \
  roofmark_site* const roofmark_function_                                  \
      __attribute__((cleanup(roofmark_function_end_), unused)) =           \
          roofmark_function_begin_(&roofmark_function_site_, ROOFMARK_LEVEL_())
#endif

#endif /* ROOFMARK_DISABLE */

#endif /* ROOFMARK_ROOFMARK_H_ */
