/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one counting context holds. Shared, as plain C, by the engine that fills it (today the
 * Valgrind tool in valgrind/tool) and by the in-process collector that reads it, so that a second
 * engine needs nothing but this header.
 *
 * A context is (thread serial x path id x layer). Every counter is a 64-bit running sum, exclusive:
 * work done below a child path is in the child's context, not in the parent's.
 *
 * Threads are numbered by the engine in order of creation, from 1 (the main thread). One that began
 * after another had ended may have its number: both are one worker then, as threads of a pool are.
 * That of the main thread is never reused. Paths are small integers chosen by the library; 0 means
 * "in no region". The path that a thread's work is charged to is its own path if that is not 0,
 * else the process's team path. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_SCHEMA_H_
#define ROOFMARK_COLLECTORS_COUNTING_SCHEMA_H_

#include <stdint.h>

/* Paths from here on are folded into path 0. */
#define ROOF_MAX_PATHS 65536

/* Whose code a thread executes, whatever its path. What is not work is counted apart. */
enum roof_layer {
  ROOF_LAYER_WORK = 0,
  ROOF_LAYER_MPI = 1,     /* inside an MPI call, from entry to return */
  ROOF_LAYER_RUNTIME = 2, /* inside an OpenMP runtime: waiting and scheduling */
  ROOF_LAYER_OWN = 3,     /* roofmark's own code */
  ROOF_LAYERS = 4
};

enum roof_precision { ROOF_DP = 0, ROOF_SP = 1, ROOF_HP = 2, ROOF_PRECISIONS = 3 };
enum roof_width { ROOF_SCALAR = 0, ROOF_128 = 1, ROOF_256 = 2, ROOF_512 = 3, ROOF_WIDTHS = 4 };
/* Kinds. FMA counts two operations a lane; div and sqrt one. Compare, min/max, convert, logic and
 * moves are no FLOPs: their instructions are in ROOF_C_FP_OTHER_INSTRUCTIONS, and so are those of
 * integers, dot products of bytes and words (VNNI) included. rcp/rsqrt approximations are one DIV
 * or SQRT operation a lane. */
enum roof_kind {
  ROOF_ADD = 0,
  ROOF_MUL = 1,
  ROOF_FMA = 2,
  ROOF_DIV = 3,
  ROOF_SQRT = 4,
  ROOF_KINDS = 5
};

/* Index of the FLOP counter of a class: counts floating-point operations, not instructions.
 * (Casts: C++20 deprecates arithmetic between different enumerations.) */
#define ROOF_C_FLOPS(precision, width, kind) \
  (((int)(precision) * (int)ROOF_WIDTHS + (int)(width)) * (int)ROOF_KINDS + (int)(kind))
#define ROOF_C_FLOPS_COUNT ((int)ROOF_PRECISIONS * (int)ROOF_WIDTHS * (int)ROOF_KINDS)

enum roof_counter {
  /* 0 .. ROOF_C_FLOPS_COUNT-1: FLOPs by class, see ROOF_C_FLOPS. */
  /* Dot products of BF16 pairs: FLOPs of no class above. They add up in single precision. */
  ROOF_C_BF16_FLOPS = ROOF_C_FLOPS_COUNT,
  /* Dot products of bytes and words (VNNI): operations of integers, two a product. No FLOPs. */
  ROOF_C_VNNI_OPERATIONS,
  ROOF_C_INSTRUCTIONS,          /* guest instructions executed */
  ROOF_C_FP_INSTRUCTIONS,       /* instructions that perform FLOPs as counted above */
  ROOF_C_FP_OTHER_INSTRUCTIONS, /* FP/SIMD compare, min/max, convert, shuffle, logic, reg. moves */
  ROOF_C_X87_TRANSCENDENTALS,   /* fsin, f2xm1 ...: instructions, in no FLOP class */
  ROOF_C_LOAD_INSTRUCTIONS,     /* instructions that read data memory */
  ROOF_C_STORE_INSTRUCTIONS,    /* instructions that write data memory */
  ROOF_C_BRANCH_INSTRUCTIONS,   /* jumps, calls, returns */
  ROOF_C_LOAD_BYTES,            /* bytes read from data memory by instructions */
  ROOF_C_STORE_BYTES,           /* bytes written, non-temporal stores included */
  ROOF_C_NT_STORE_BYTES,        /* bytes written by non-temporal stores */
  /* Cache model (zero unless it is on). Level k in 1..3; bytes = lines x line size. READ: lines
   * moved from level k+1 (or DRAM after the last level) into level k. WRITE: dirty lines moved
   * from level k to the level below it, charged to the context that dirtied the line. */
  ROOF_C_L1_READ_BYTES,
  ROOF_C_L1_WRITE_BYTES,
  ROOF_C_L2_READ_BYTES,
  ROOF_C_L2_WRITE_BYTES,
  ROOF_C_L3_READ_BYTES,
  ROOF_C_L3_WRITE_BYTES,
  /* DRAM: fills of the last level; write-backs of the last level plus non-temporal stores. Lines
   * still dirty at the end are in DRAM_DIRTY_BYTES alone, charged to their writer. */
  ROOF_C_DRAM_READ_BYTES,
  ROOF_C_DRAM_WRITE_BYTES,
  ROOF_C_DRAM_NT_BYTES,    /* the non-temporal share of DRAM_WRITE_BYTES */
  ROOF_C_DRAM_DIRTY_BYTES, /* lines still dirty in the caches when counters are harvested */
  /* Misses of the last level by cause, in lines (scaled up when sampled); zero unless on. */
  ROOF_C_MISSES_COMPULSORY,
  ROOF_C_MISSES_CAPACITY,
  ROOF_C_MISSES_CONFLICT,
  /* Of L1_READ_BYTES: lines fetched for a store (write-allocate). */
  ROOF_C_STORE_FILL_BYTES,
  /* Windows of executed instructions (zero unless on): instructions in them, and the least cycles
   * that these take by their dependences, split by what they are spent on; dataflow/dataflow.h.
   * Samples, not sums: cycles / instructions holds for all instructions of the context. */
  ROOF_C_WINDOW_INSTRUCTIONS,
  ROOF_C_WINDOW_CYCLES,
  ROOF_C_WINDOW_FP_CYCLES,
  ROOF_C_WINDOW_INTEGER_CYCLES,
  ROOF_C_WINDOW_L1_CYCLES,
  ROOF_C_WINDOW_L2_CYCLES,
  ROOF_C_WINDOW_L3_CYCLES,
  ROOF_C_WINDOW_DRAM_CYCLES,
  ROOF_C_WINDOW_FORWARD_CYCLES,
  ROOF_C_WINDOW_IN_FLIGHT_CYCLES,
  ROOF_C_WINDOW_FULL_CYCLES,
  ROOF_C_WINDOW_TLB_CYCLES,
  ROOF_C_WINDOW_UNITS_CYCLES,
  ROOF_C_WINDOW_ATOMIC_CYCLES,
  ROOF_C_WINDOW_BRANCH_CYCLES,
  ROOF_C_WINDOW_ISSUE_CYCLES,
  /* Samples as well: lines that came from DRAM in windows, and of these, those of the stream that
   * had most of them in its window; windows/memory_streams.h. */
  ROOF_C_WINDOW_LINES,
  ROOF_C_WINDOW_STREAM_LINES,
  ROOF_COUNTERS
};

/* Addresses in the code at which the windows of a context spent most of their cycles, those of
 * ROOF_C_WINDOW_ISSUE_CYCLES apart. */
struct roof_critical {
  uint64_t place, cycles; /* no cycles: none */
};
#define ROOF_CRITICAL_PLACES 32

#endif /* ROOFMARK_COLLECTORS_COUNTING_SCHEMA_H_ */
