/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one x86-64 instruction means to the counting collector, read from its bytes. Plain C without
 * libc, so that every engine can link it. Only the bytes can be trusted: an engine's intermediate
 * code splits a packed FMA into scalar ones, drops results that are overwritten and forgets
 * non-temporal hints.
 *
 * Thread-safe: no state. Cost: some ten nanoseconds, paid once per translated instruction. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_DECODER_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_DECODER_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum roof_encoding { ROOF_LEGACY, ROOF_VEX, ROOF_XOP, ROOF_EVEX };
enum roof_mandatory_prefix { ROOF_NP = 0, ROOF_66 = 1, ROOF_F3 = 2, ROOF_F2 = 3 };

/* An instruction taken apart. */
struct roof_instruction {
  uint8_t encoding; /* enum roof_encoding */
  uint8_t map;      /* 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A; others as VEX, XOP, EVEX name them */
  uint8_t opcode;
  uint8_t prefix; /* enum roof_mandatory_prefix; for string instructions F3, F2: repeated */
  uint8_t rex_w;
  uint8_t bits;      /* vector length: 0: 128, 1: 256, 2: 512; 0 for legacy encodings */
  uint8_t modrm;     /* 0 where the instruction has none */
  uint8_t immediate; /* last byte of the instruction */
  uint8_t rex;       /* enum roof_rex, whatever encoding says it */
  uint8_t vvvv;      /* the register that VEX and XOP add, 0 to 15; 0 for legacy encodings */
  uint8_t word;      /* 1: the prefix 66 is there, even where another one is mandatory */
  uint8_t modrm_at;  /* its place; 0 where the instruction has none */
  uint8_t mask;      /* EVEX: the number of the mask register; 0: none */
  uint8_t b;         /* EVEX: its bit b: broadcast of memory, rounding or no exceptions */
  uint8_t lock;      /* 1: the prefix F0 is there */
};

/* What extends the numbers of registers. ANY: a REX is there, so that byte registers are the low
 * ones. */
enum roof_rex { ROOF_REX_B = 1, ROOF_REX_X = 2, ROOF_REX_R = 4, ROOF_REX_ANY = 8 };

enum roof_class_flags {
  ROOF_IS_FP_OTHER = 1,           /* vector or x87 work that is no FLOP, see below */
  ROOF_IS_X87_TRANSCENDENTAL = 2, /* fsin, f2xm1 ... */
  ROOF_IS_BRANCH = 4,
  ROOF_IS_NT_STORE = 8,         /* writes memory past the caches */
  ROOF_IS_REPEATED_STRING = 16, /* rep movs ...: the engine sees one iteration at a time */
  ROOF_IS_AVX512 = 32,          /* EVEX, or an instruction on mask registers */
  ROOF_IS_GATHER = 64           /* loads only the elements that its mask selects */
};

/* Operations of one class, per execution. */
struct roof_term {
  uint8_t counter; /* index of ROOF_C_FLOPS, ROOF_C_BF16_FLOPS or ROOF_C_VNNI_OPERATIONS */
  uint8_t operations;
};

/* FP_OTHER is every instruction on vector (MMX to AVX2, integer ones too) or x87 registers that
 * does no FLOP and is not merely a load or a store: compare, min/max, convert, shuffle, logic,
 * moves between registers. */
struct roof_class {
  uint8_t flags;
  uint8_t terms;
  struct roof_term term[2]; /* dot products have two: multiplications, additions */
};

/* Takes the instruction in bytes[0..size) apart; size is its length, or more than it where the
 * length is unknown (then `immediate` is meaningless). Returns 0 if the bytes end too early. */
int roof_decode(const uint8_t* bytes, unsigned size, struct roof_instruction* out);

/* Whether an instruction of these flags and so many terms does FLOPs: those of VNNI are none. */
static inline int roof_does_flops(unsigned flags, unsigned terms) {
  return terms > 0 && !(flags & ROOF_IS_FP_OTHER);
}

void roof_classify(const struct roof_instruction* instruction, struct roof_class* out);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_DECODER_H_ */
