/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the native engine: the state of a process, and the translation of one block. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRANSLATOR_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRANSLATOR_H_

#include "collectors/counting/native/accesses.h"
#include "collectors/counting/native/cache.h"
#include "collectors/counting/native/emit.h"
#include "collectors/counting/native/instruction.h"
#include "collectors/counting/native/meaning.h"
#include "collectors/counting/native/native.h"
#include "collectors/counting/native/pieces.h"
#include "collectors/counting/windows/code.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ROOF_BLOCK_MOST = 48,      /* instructions */
  ROOF_LOOP_MOST = 40,       /* instructions of such a body, */
  ROOF_LOOP_SLOTS = 128,     /* and what it writes to the trail */
  ROOF_BLOCK_ROOM = 1 << 16, /* bytes that a block cannot need */
  ROOF_MODULES = 256,
  ROOF_STOPS = 8,
  ROOF_TABLE_BITS = 16,
  ROOF_EXITS = 4,
  ROOF_CROSSINGS = 4,
  ROOF_MOST_NESTS = 0xFFFF
};

/* A jump to code that may not be translated yet: goes to a stub until it is. Lies in the cache. */
struct roof_native_link {
  uint64_t pc;
  uint8_t* from; /* its distance */
};

/* A system call, in the cache. */
struct roof_native_call {
  uint64_t pc;
  const uint8_t* code;  /* executes it */
  const uint8_t* makes; /* the same for one that makes a process or a thread */
};

/* The trail was full, or code without one pauses: goes on there then. In the cache. */
struct roof_native_full {
  uint64_t pc;
  const uint8_t* code;
};

/* A jump or call through a register or memory whose ways are kept. In the cache. */
enum roof_native_notes {
  ROOF_NOTES_NOTHING,
  ROOF_NOTES_JUMP,    /* of the program: within its file, or a call of another one */
  ROOF_NOTES_CALL,    /* of the program */
  ROOF_NOTES_LINKAGE, /* of the program, through an entry of a table that the linker made */
  ROOF_NOTES_SERVICE  /* of libc and the like: within its file; the linker's, of what it found */
};
struct roof_native_jump {
  const struct roof_block* from;
  uint64_t base, size; /* of its file: where its offsets begin, and the end of its code */
  uint64_t kind;
};

/* Lies before translated code. */
struct roof_native_head {
  uint8_t owner;
  uint8_t kept; /* numbers of two registers: ROOF_MARK_KEPT */
  uint16_t marks_size;
  uint16_t marks; /* distance from the code */
  uint16_t unused;
  uint64_t minus_pc;
};

/* Where a jump goes through a border of nests: to what tells the guide. */
struct roof_native_border {
  struct roof_native_crossing crossing;
  uint8_t* from; /* the distance of the jump, or of the address of the crossing */
  int by_jump;
};

/* The block that is being translated. */
struct roof_native_block {
  struct roof_native_module* module;
  struct roof_native_instruction in[ROOF_BLOCK_MOST];
  struct roof_native_varying varying[ROOF_BLOCK_MOST];
  uint32_t varying_slot[ROOF_BLOCK_MOST];
  unsigned count;  /* instructions; 0: it cannot be translated, */
  unsigned reason; /* because of this */
  uint64_t next;   /* behind the last instruction */
  uint32_t slot;
  unsigned count_at; /* the instruction before which the execution is counted */
  unsigned exits;
  struct roof_native_link exit[ROOF_EXITS];
  uint32_t nest;    /* that its code belongs to */
  uint32_t version; /* for a path of nests and a layer; 0: the program outside of all nests */
  unsigned borders;
  struct roof_native_border border[ROOF_CROSSINGS];
  unsigned is_loop;
  const struct roof_block* place; /* NULL: not kept */
  uint32_t behind_slot;           /* counts where a condition at its end leads on; 0: nothing */
  int behind_flags_live;          /* a flag may be read there */
  /* The trail: what the block writes down of its accesses. */
  struct roof_native_found_access access[ROOF_BLOCK_MOST][ROOF_ACCESSES_MOST];
  uint8_t accesses[ROOF_BLOCK_MOST]; /* of each instruction */
  unsigned slots;                    /* of one execution */
  unsigned follows;                  /* its accesses are wanted */
  unsigned trails;                   /* 0: there is no trail */
  unsigned pauses;                   /* it asks the dispatcher from time to time */
  const struct roof_native_pieces* pieces;
  uint32_t used; /* general registers, a bit each */
  unsigned trail_register, address_register;
  unsigned trail_at; /* the next slot, from the header */
  unsigned full_quietly;
  uint8_t *full_from, *header_from;
  const uint8_t* resume;
};

struct roof_native {
  struct roof_memory memory;
  ZydisDecoder decoder;
  struct roof_segments segments;
  struct roof_native_places places;
  struct roof_native_module module[ROOF_MODULES];
  uint32_t modules;
  uint64_t stop[ROOF_STOPS];
  uint32_t stops;
  uint32_t slots;
  const void** table[ROOF_NATIVE_LAYERS];
  uint32_t locked, given_up;
  uint64_t epoch;
  struct roof_native_guide guide;
  struct roof_native_block block;
  struct roof_native_marks marks;
  struct roof_segment always, each;
  uint32_t traced; /* code writes a trail */
  struct roof_native_reader reader;
  roof_native_window window; /* NULL: none wants the code of blocks */
  struct roof_codes codes;
  struct roof_table described, pieces; /* of the codes, by the address of the first one */
  uint32_t keeps_blocks;               /* they are told apart by their place */
  uint32_t files;
  struct roof_blocks blocks;
  const char* file[ROOF_MODULES]; /* number 1 is the first */
  const struct roof_nests* nests; /* NULL: none are followed */
  const char** nest_file;         /* the same */
  uint32_t nest_files;
};

/* The module that the code is in; NULL: it may not be translated. */
struct roof_native_module* roof_native_module_of(struct roof_native* native, uint64_t pc);
/* Reads the block at `pc`: native->block. */
void roof_native_read_block(struct roof_native* native, uint64_t pc, uint32_t version);
/* Begins a segment of that block. */
void roof_native_clear_segment(const struct roof_native* native, struct roof_segment* segment);

/* Translates native->block. NULL: no room. The code begins with what brings back the registers that
 * an indirect jump uses, ROOF_PROLOGUE bytes; before it is its head. */
const uint8_t* roof_native_translate_block(struct roof_native* native);
enum { ROOF_PROLOGUE = 27 };
/* Behind it, where a function begins in a nest, what tells the guide. */
enum { ROOF_BEGINNING = 25 };

/* Where translated code is in the table of an area. */
static inline uint64_t roof_native_index(uint64_t pc, uint64_t version) {
  return (pc + version * 0x9E51) & 0xFFFF;
}

/* An instruction of the program, adapted to its new place. */
void roof_native_copy(struct roof_native_emitter* e, const struct roof_native_instruction* in);
/* What counts before and behind an instruction whose counts vary. */
void roof_native_count_before(struct roof_native_emitter* e,
                              const struct roof_native_varying* varying, uint32_t slot,
                              int flags_live);
void roof_native_count_behind(struct roof_native_emitter* e,
                              const struct roof_native_varying* varying, uint32_t slot);
/* The end of the block: branches. */
void roof_native_emit_end(struct roof_native* native, struct roof_native_emitter* e);
/* Where the condition at the end of the block leads on. */
void roof_native_count_on(const struct roof_native_block* block, struct roof_native_emitter* e);
/* A jump, by these bytes and a distance, to the program's address. */
void roof_native_emit_exit(struct roof_native* native, struct roof_native_emitter* e,
                           const uint8_t* opcode, unsigned size, uint64_t pc);

/* Borders of nests. The nest that code belongs to; 0: none. */
uint32_t roof_native_nest_at(const struct roof_native* native,
                             const struct roof_native_module* module, uint64_t pc);
/* The same as roof_native_emit_exit where the way, or that behind a call, crosses one. 0: not. */
int roof_native_cross_by_exit(struct roof_native* native, struct roof_native_emitter* e,
                              const uint8_t* opcode, unsigned size, uint64_t pc);
/* Before a target in rax is looked up, rcx is free: of a return, or of a jump or call through a
 * pointer, which has to go to the dispatcher if 1 is returned. */
void roof_native_cross_by_return(struct roof_native* native, struct roof_native_emitter* e);
int roof_native_cross_by_pointer(struct roof_native* native, struct roof_native_emitter* e);
/* Where a function begins in a nest. */
void roof_native_cross_by_begin(struct roof_native* native, struct roof_native_emitter* e);
/* What these refer to. */
void roof_native_emit_borders(struct roof_native_block* block, struct roof_native_emitter* e);

/* Two registers that are not used. 0: there are not two. */
int roof_native_choose_trail(struct roof_native_block* block, uint32_t used);
/* Code that writes the trail: around a block; before and behind an instruction, once its registers
 * are as the program has them; around a loop that is one block, and around each round of copies. */
void roof_native_trail_begin(struct roof_native_block* block, struct roof_native_emitter* e);
void roof_native_trail_before(struct roof_native_block* block, struct roof_native_emitter* e,
                              unsigned i);
void roof_native_trail_behind(const struct roof_native_block* block, struct roof_native_emitter* e,
                              unsigned i);
void roof_native_trail_end(const struct roof_native_block* block, struct roof_native_emitter* e);
void roof_native_trail_begin_loop(struct roof_native_block* block, struct roof_native_emitter* e);
void roof_native_trail_begin_round(struct roof_native_block* block, struct roof_native_emitter* e);
void roof_native_trail_end_round(const struct roof_native_block* block,
                                 struct roof_native_emitter* e);
/* After so many iterations of a round. */
void roof_native_trail_leave_loop(const struct roof_native_block* block,
                                  struct roof_native_emitter* e, unsigned times);
/* What the code refers to. */
void roof_native_trail_constants(const struct roof_native_block* block,
                                 struct roof_native_emitter* e);

/* Where the check at the beginning of a block jumps to: rcx is in place again. */
void roof_native_come_from_check(const struct roof_native_block* block,
                                 struct roof_native_emitter* e);
/* Comes to the dispatcher as with a full trail: to area->full, with rax saved. Goes on at
 * block->resume. */
void roof_native_ask_dispatcher(const struct roof_native_block* block,
                                struct roof_native_emitter* e);

/* Code without a trail asks it from time to time: pauses.c. The check, where a block or a round of
 * a loop begins, and what it jumps to. */
void roof_native_find_pause(struct roof_native_block* block, int quiet);
void roof_native_pause(struct roof_native_block* block, struct roof_native_emitter* e);
void roof_native_pause_stub(const struct roof_native_block* block, struct roof_native_emitter* e);

/* The code of the block. NULL without memory. */
const struct roof_native_pieces* roof_native_make_pieces(struct roof_native* native);

/* Names of files, without libc. A copy is NULL without memory. */
int roof_native_is_same_text(const char* one, const char* other);
const char* roof_native_copy_text(const struct roof_memory* memory, const char* text);

/* The block is kept by its place. 0: there is no room. */
int roof_native_keep_place(struct roof_native* native);
/* Code by which the dispatcher learns of the jump, and goes where it leads. 0: nobody wants it. */
int roof_native_note_jump(const struct roof_native_block* block, struct roof_native_emitter* e,
                          int linkage, unsigned miss);
/* Where the area's last jump is noted; another one may be there. */
static inline struct roof_native_jumps* roof_native_place_of_jump(struct roof_native_area* area) {
  const uint64_t mixed =
      (area->pc ^ (uint64_t)(uintptr_t)area->jumped << 17) * UINT64_C(0x9E3779B97F4A7C15);
  return &area->room->jumps[mixed >> 56];
}
void roof_native_make_room_for_jump(struct roof_native_area* area);

static inline unsigned roof_native_slot_offset(uint32_t slot) { return ROOF_AT_COUNTS + 8 * slot; }

/* Memory of a thread's trail. 0: there is none. */
int roof_native_open_trail(struct roof_native_room* room, const struct roof_memory* memory);
void roof_native_close_trail(struct roof_native_room* room, const struct roof_memory* memory);

/* Part of the dispatcher; both return where the thread goes on. Find returns NULL if the block has
 * to be translated. */
const void* roof_native_find(struct roof_native_area* area);
const void* roof_native_translate(struct roof_native_area* area);
void roof_native_miss(void);
void roof_native_link_miss(void);
void roof_native_system(void);
void roof_native_linkage(void);
void roof_native_full(void);
void roof_native_cross(void);
/* The header is no address; behind it is what goes to roof_native_miss. */
extern const uint8_t kRoofNativeNoCode[];

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRANSLATOR_H_ */
