/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks: the code of one segment, with the times that it was executed as work and the ways on from
 * its end, for whoever looks for loops. Kept once for each place in the code, however often that is
 * translated. Execution counts of segments are those of their blocks, so that running code does
 * nothing more for them; the times of a way follow from those of the blocks around it. Where it is
 * wanted, they are kept apart by path as well.
 *
 * Plain C without libc. No call may overlap another one on the same blocks. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_BLOCKS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_BLOCKS_H_

#include <stdint.h>

#include "collectors/counting/contexts/table.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of a block when it is translated. Places are offsets in its module, which the
 * engine numbers; no code lies at 0, which stands for none. */
struct roof_block_code {
  uint64_t module;
  uint64_t translation;  /* begin of the code that was translated in one go */
  uint64_t position;     /* among its blocks; the code of a loop may follow several times */
  uint64_t begin;        /* 0: no instruction begins in it */
  uint64_t end;          /* behind its last instruction */
  uint64_t last;         /* its last instruction; that before it if none begins in it */
  uint64_t exit_to;      /* where the conditional exit at its end leads */
  uint64_t next;         /* where it leads otherwise, if nothing of the same translation follows */
  uint32_t instructions; /* that begin in it */
  uint32_t calls;        /* 1: `next` is a function that is called */
};

struct roof_descriptor;
struct roof_block_part;
struct roof_block {
  struct roof_entry entry; /* by content */
  struct roof_block_code code;
  struct roof_block* before; /* in the order of creation */
  struct roof_block* behind; /* what follows in the same translation if the exit is not taken */
  const struct roof_descriptor* segments; /* of it (segments.h) */
  struct roof_block_part* parts;
  uint64_t times; /* executed as work, as far as it was folded */
};

/* A way that only the execution shows: a jump through a register or memory. */
struct roof_jump {
  struct roof_entry entry;
  uint64_t module;
  uint64_t from, to; /* instructions of it */
  uint64_t times;
  struct roof_jump* before;
};

/* What only the execution shows of who calls whom: calls through a register or memory, and jumps to
 * other modules, by which tables of the linker and functions that end with a call go on. */
struct roof_called {
  struct roof_entry entry;
  uint64_t module, from; /* an instruction of it */
  uint64_t address;      /* where it leads, as the module is mapped that lies there first, */
  uint64_t to_module;    /* and the same as a place, of whoever interned it; 0: of no module */
  uint64_t to;
  uint64_t times;
  struct roof_called* before;
};

/* Who executes. */
struct roof_executor {
  uint32_t path;
  uint32_t layer;
  uint32_t leads; /* 1: the main thread */
};

/* What a block was executed by one kind of them. */
struct roof_block_part {
  const struct roof_block* block;
  struct roof_executor by;
  uint64_t times;
  struct roof_block_part* beside; /* of the same block */
  struct roof_block_part* before; /* of all */
};

/* All zero but `memory`: empty. */
struct roof_blocks {
  struct roof_memory memory;
  struct roof_table table;
  struct roof_table jump_table;
  struct roof_table called_table;
  struct roof_block* newest;
  struct roof_jump* newest_jump;
  struct roof_called* newest_called;
  struct roof_block_part* newest_part;
  uint64_t lost; /* jumps, calls and parts for which there was no memory */
};

/* The block of this code, a new one if it is the first of its kind. NULL without memory. */
struct roof_block* roof_blocks_intern(struct roof_blocks* blocks,
                                      const struct roof_block_code* code);
/* What lies behind `block`: that of this code, made where there is none yet. It is found by way of
 * `block` alone. NULL without memory. */
struct roof_block* roof_blocks_behind(struct roof_blocks* blocks, struct roof_block* block,
                                      const struct roof_block_code* code);
/* So many times more. 0 without memory. */
int roof_blocks_jump(struct roof_blocks* blocks, uint64_t module, uint64_t from, uint64_t to,
                     uint64_t times);
/* That of these ends; new: `is_new` is 1, and the caller says its place. NULL without memory. */
struct roof_called* roof_blocks_called(struct roof_blocks* blocks, uint64_t module, uint64_t from,
                                       uint64_t address, int* is_new);
/* The block was executed so often more by these. 0 without memory. */
int roof_blocks_part(struct roof_blocks* blocks, struct roof_block* block,
                     const struct roof_executor* by, uint64_t times);
/* Forgets every count: a forked child starts from zero. */
void roof_blocks_clear(struct roof_blocks* blocks);

/* From the last instruction of a block to the first one of another. */
struct roof_block_way {
  uint64_t module;
  uint64_t from, to;
  uint64_t times;
  uint64_t calls; /* 1: a call */
};
/* Whoever is told what was executed; nothing without an instruction, nor what never was. */
struct roof_blocks_taker {
  void* cookie;
  void (*block)(void* cookie, const struct roof_block* block);
  void (*way)(void* cookie, const struct roof_block_way* way);
  void (*called)(void* cookie, const struct roof_called* called); /* to a known place */
  void (*part)(void* cookie, const struct roof_block_part* part);
};
/* New blocks may be interned meanwhile. */
void roof_blocks_give(const struct roof_blocks* blocks, const struct roof_blocks_taker* to);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_BLOCKS_H_ */
