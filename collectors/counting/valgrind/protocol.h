/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the in-process collector talks to the counting tool: Valgrind client requests. Natively each
 * request is a few no-op instructions and yields 0. valgrind.h is BSD-licensed. schema.h says what
 * threads, paths and layers are. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_PROTOCOL_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_PROTOCOL_H_

#include <stdint.h>

/* Built without Valgrind's headers, the collector compiles and says that there is no engine. */
#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#define VG_USERREQ_TOOL_BASE(a, b) ((((a)&0xff) << 24) | (((b)&0xff) << 16))
#define VALGRIND_DO_CLIENT_REQUEST_EXPR(result, request, a, b, c, d, e) ((void)(a), (result))
#endif

#include "collectors/counting/contexts/blocks.h"
#include "collectors/counting/contexts/nests.h"
#include "collectors/counting/schema.h"

#define ROOF_PROTOCOL_VERSION 16
#define ROOF_TOOL_CODE VG_USERREQ_TOOL_BASE('R', 'F')

enum roof_request {
  /* (version) -> ROOF_PROTOCOL_VERSION of the tool, 0 where the tool is absent. */
  ROOF_REQ_HELLO = ROOF_TOOL_CODE,
  /* () -> serial of the calling thread. */
  ROOF_REQ_THREAD,
  /* (path): sets the process's team path. -> 1, or ROOF_ROOM_WANTED */
  ROOF_REQ_TEAM_PATH,
  /* (path): sets the calling thread's own path. -> 1, or ROOF_ROOM_WANTED */
  ROOF_REQ_OWN_PATH,
  /* (layer): the calling thread is in this layer until it leaves it. -> 1, or 0 without memory */
  ROOF_REQ_ENTER_LAYER,
  /* (): back to the layer before. -> 1 */
  ROOF_REQ_LEAVE_LAYER,
  /* (roof_count): what is counted in every thread from here on; ROOF_COUNT_ALL at the start. The
   * tool translates the program anew, so that it runs as fast as that allows. -> 1 */
  ROOF_REQ_COUNT,
  /* (roof_harvest*): fills the table; may be called more than once, sums go on. -> 1, or 0 if
   * the buffer is too small (needed is set). */
  ROOF_REQ_HARVEST,
  /* (roof_tool_info*): how the tool was configured. -> 1 */
  ROOF_REQ_INFO,
  /* (roof_room*): memory that outlives the process. From the first one on the tool hands its sums
   * over there at intervals; it asks for more by ROOF_ROOM_WANTED. Without rows it stops. -> 1 */
  ROOF_REQ_ROOM,
  /* (roof_line*): fills file and line. -> 1, or 0 without debug information of that place */
  ROOF_REQ_LINE,
  /* (parts): blocks are kept from here on; unless 0, by path too. The tool translates the program
   * anew. -> 1 */
  ROOF_REQ_KEEP_BLOCKS,
  /* (roof_block_harvest*): fills the tables with what was executed; blocks and ways as work, all
   * threads together. -> 1, or 0 if one is too small (the numbers that are needed are set). */
  ROOF_REQ_BLOCKS,
  /* (roof_module*): fills the file. -> 1, or 0 if there is no such module or its name is too long
   */
  ROOF_REQ_MODULE,
  /* (roof_nest_plan*): which loops and functions are paths of their own; once, before the first
   * of them is executed. -> 1, or 0 if it makes no sense */
  ROOF_REQ_NESTS,
  /* (roof_nest_paths*): fills the table. -> 1, or 0 if it is too small (needed is set) */
  ROOF_REQ_NEST_PATHS
};
#define ROOF_ROOM_WANTED 2

enum roof_count {
  ROOF_COUNT_ALL = 0,
  ROOF_COUNT_FIRST = 1, /* all, in contexts of their own */
  ROOF_COUNT_CHEAP = 2, /* neither the cache model nor windows; in contexts of their own */
  ROOF_COUNT_NOTHING = 3,
  ROOF_COUNT_STRATUM = 4 /* from here on, below 16: all, in contexts of their own */
};

/* Takes what is not to be counted. */
#define ROOF_NOWHERE (ROOF_MAX_PATHS - 1)

/* Zeroed rows of lib/counts/kept_row.h with ROOF_COUNTERS columns. The tool keeps them for good.
 * Each is of one context of work; that of worker 0 and path 0 has the number of the last hand-over.
 */
struct roof_room {
  void* rows;
  uint64_t count;
};

/* One context. */
struct roof_record {
  uint32_t thread; /* serial, from 1 */
  uint32_t path;
  uint32_t layer;
  uint32_t count;   /* enum roof_count with which it was counted */
  uint64_t entries; /* of the nest that the path ends with */
  uint64_t counters[ROOF_COUNTERS];
  struct roof_critical critical[ROOF_CRITICAL_PLACES];
};

struct roof_harvest {
  struct roof_record* records; /* in: buffer of the caller */
  uint64_t capacity;           /* in: records it holds */
  uint64_t count;              /* out: records written; contexts without any count are left out */
  uint64_t needed;             /* out: records there are */
  uint64_t lost_paths;         /* out: requests whose path was >= ROOF_MAX_PATHS */
};

/* Straight code of a module; places are offsets from its lowest address. Blocks and ways may be
 * given several times: they add up. Code that lies in no file is left out. */
struct roof_executed {
  uint64_t module;
  uint64_t begin;
  uint64_t times;
  uint32_t bytes;
  uint32_t instructions;
};

/* From the last instruction of one block to the first of another of the same module, which may lie
 * behind it. Returns are left out; of calls through pointers see below. */
struct roof_way {
  uint64_t module;
  uint64_t from, to;
  uint64_t times;
  uint64_t calls; /* 1: a call */
};

/* A call through a register or memory, or a jump to another module. */
struct roof_executed_call {
  uint64_t module, from;
  uint64_t to_module, to;
  uint64_t times;
};

/* Of a block, what was executed in one path and layer, by the main thread or by others. */
struct roof_executed_part {
  uint64_t module;
  uint64_t begin;
  uint64_t times;
  uint32_t bytes;
  struct roof_executor by;
};

struct roof_block_harvest {
  struct roof_executed* blocks; /* in: buffers of the caller, */
  struct roof_way* ways;
  struct roof_executed_call* calls;
  struct roof_executed_part* parts;
  uint64_t block_capacity, way_capacity, call_capacity, part_capacity; /* and what they hold */
  uint64_t block_count, way_count, call_count, part_count;             /* out: what was written, */
  uint64_t needed_blocks, needed_ways, needed_calls, needed_parts;     /* and what there is */
};

/* A path below another one, made when its nest was first entered there. */
struct roof_nest_row {
  uint32_t parent, nest, path;
};
struct roof_nest_paths {
  struct roof_nest_row* rows; /* in: buffer of the caller */
  uint64_t capacity;          /* in: rows it holds */
  uint64_t count;             /* out: rows written, parents first */
  uint64_t needed;            /* out: rows there are */
  uint64_t lost;              /* out: entries without a path of their own */
};

struct roof_module {
  uint64_t number; /* in: from 1 */
  char file[4096];
};

/* The source of an instruction. */
struct roof_line {
  uint64_t place; /* in: its address */
  uint32_t line;
  char file[252]; /* the end of longer names */
};

#define ROOF_MAX_LEVELS 3
struct roof_tool_info {
  uint32_t levels;     /* cache levels modelled; 0: FLOPs only */
  uint32_t line_bytes; /* cache line */
  uint64_t size_bytes[ROOF_MAX_LEVELS];
  uint32_t ways[ROOF_MAX_LEVELS];
  uint32_t line_sampling; /* 1: every line; 16: one line in 16, counters scaled up */
  uint32_t three_cs;      /* 1: misses of the last level are classified */
  uint32_t threads;       /* threads created so far */
  uint32_t windows;       /* 1: dependences are followed in windows */
};

#define ROOF_REQUEST(request, argument) \
  VALGRIND_DO_CLIENT_REQUEST_EXPR(0, (request), (argument), 0, 0, 0, 0)

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_PROTOCOL_H_ */
