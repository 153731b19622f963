/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FLOPs and classes are the decoder's, which other engines use, too. Zydis says what is loaded and
 * stored. */
#include "collectors/counting/native/meaning.h"

#include "collectors/counting/decoder/classify_evex.h"
#include "collectors/counting/decoder/decoder.h"

struct pass {
  const struct roof_native_instruction* in;
  struct roof_segment* always;
  struct roof_segment* each;
  struct roof_native_varying* varying;
  unsigned flags; /* enum roof_class_flags */
};

static int is_evex(const struct roof_native_instruction* in) {
  return in->zydis.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

static void count_flags(struct pass* pass) {
  int32_t* sum = pass->always->sum;
  ++sum[ROOF_C_INSTRUCTIONS];
  if (pass->flags & ROOF_IS_FP_OTHER) ++sum[ROOF_C_FP_OTHER_INSTRUCTIONS];
  if (pass->flags & ROOF_IS_X87_TRANSCENDENTAL) ++sum[ROOF_C_X87_TRANSCENDENTALS];
  if (pass->flags & ROOF_IS_BRANCH) ++sum[ROOF_C_BRANCH_INSTRUCTIONS];
}

/* FLOPs of every lane, or of those that the mask selects. */
static int count_evex_flops(struct pass* pass, const struct roof_instruction* decoded) {
  struct roof_evex_class meaning;
  if (!roof_classify_evex(decoded, &meaning)) return 0;
  pass->flags = meaning.flags;
  if (roof_does_flops(meaning.flags, meaning.terms)) ++pass->always->sum[ROOF_C_FP_INSTRUCTIONS];
  for (unsigned i = 0; i < meaning.terms; ++i) {
    const unsigned counter = meaning.term[i].counter;
    if (decoded->mask) {
      pass->each->sum[counter] += meaning.term[i].operations;
    } else {
      pass->always->sum[counter] += meaning.term[i].operations * meaning.lanes;
    }
  }
  if (meaning.terms && decoded->mask) {
    pass->varying->kind = ROOF_BY_MASK;
    pass->varying->reg = decoded->mask;
    pass->varying->lanes = meaning.lanes;
  }
  return 1;
}

static int count_flops(struct pass* pass) {
  struct roof_instruction decoded;
  struct roof_class meaning;
  if (!roof_decode(pass->in->bytes, pass->in->length, &decoded)) return 0;
  if (is_evex(pass->in)) return count_evex_flops(pass, &decoded);
  roof_classify(&decoded, &meaning);
  pass->flags = meaning.flags;
  if (roof_does_flops(meaning.flags, meaning.terms)) ++pass->always->sum[ROOF_C_FP_INSTRUCTIONS];
  for (unsigned i = 0; i < meaning.terms; ++i)
    pass->always->sum[meaning.term[i].counter] += meaning.term[i].operations;
  return 1;
}

static void count_bytes(struct pass* pass, const ZydisDecodedOperand* memory, unsigned counter) {
  /* Lanes of the FLOPs and of the operand are the same, or a mask selects FLOPs alone. */
  const struct roof_native_varying before = *pass->varying;
  const unsigned each = roof_native_find_mask(pass->in, memory, pass->varying);
  if (each && before.kind != ROOF_VARIES_NOT && before.lanes != pass->varying->lanes) {
    *pass->varying = before;
    pass->always->sum[counter] += memory->size / 8;
  } else if (each) {
    pass->each->sum[counter] += (int32_t)each;
  } else {
    pass->always->sum[counter] += memory->size / 8;
  }
}

static void count_load(struct pass* pass, const ZydisDecodedOperand* memory) {
  ++pass->always->sum[ROOF_C_LOAD_INSTRUCTIONS];
  count_bytes(pass, memory, ROOF_C_LOAD_BYTES);
}

static void count_store(struct pass* pass, const ZydisDecodedOperand* memory) {
  ++pass->always->sum[ROOF_C_STORE_INSTRUCTIONS];
  count_bytes(pass, memory, ROOF_C_STORE_BYTES);
  if (pass->flags & ROOF_IS_NT_STORE) count_bytes(pass, memory, ROOF_C_NT_STORE_BYTES);
}

/* A repeated instruction counts as one load or store; each repetition moves an element. */
static void count_repeated(struct pass* pass) {
  int loads = 0, stores = 0;
  for (unsigned i = 0; i < pass->in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &pass->in->operands[i];
    if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    const int32_t bytes = operand->size / 8;
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) {
      pass->each->sum[ROOF_C_LOAD_BYTES] += bytes;
      loads = 1;
    }
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) {
      pass->each->sum[ROOF_C_STORE_BYTES] += bytes;
      stores = 1;
    }
  }
  pass->always->sum[ROOF_C_LOAD_INSTRUCTIONS] += loads;
  pass->always->sum[ROOF_C_STORE_INSTRUCTIONS] += stores;
  switch (pass->in->bytes[pass->in->length - 1] & 0xFE) {
    case 0xA6: /* cmps, scas end early */
    case 0xAE:
      pass->varying->kind = ROOF_BY_REPETITION_LEFT;
      break;
    default:
      pass->varying->kind = ROOF_BY_REPETITION;
      break;
  }
}

int roof_native_touches_nothing(const struct roof_native_instruction* in) {
  switch (in->zydis.meta.category) {
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
      return 1;
    default:
      break;
  }
  switch (in->zydis.mnemonic) {
    case ZYDIS_MNEMONIC_CLFLUSH:
    case ZYDIS_MNEMONIC_CLFLUSHOPT:
    case ZYDIS_MNEMONIC_CLWB:
    case ZYDIS_MNEMONIC_CLDEMOTE:
      return 1;
    default:
      return 0;
  }
}

static int is_accessed(const ZydisDecodedOperand* operand) {
  return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
         (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM || operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB);
}

/* An instruction with two operands that it reads (cmps) is one load instruction. */
static void count_accesses(struct pass* pass) {
  const int32_t loads = pass->always->sum[ROOF_C_LOAD_INSTRUCTIONS];
  const int32_t stores = pass->always->sum[ROOF_C_STORE_INSTRUCTIONS];
  int32_t* sum = pass->always->sum;
  for (unsigned i = 0; i < pass->in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &pass->in->operands[i];
    if (!is_accessed(operand)) continue;
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ && !(pass->flags & ROOF_IS_NT_STORE))
      count_load(pass, operand);
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) count_store(pass, operand);
  }
  if (sum[ROOF_C_LOAD_INSTRUCTIONS] > loads + 1) sum[ROOF_C_LOAD_INSTRUCTIONS] = loads + 1;
  if (sum[ROOF_C_STORE_INSTRUCTIONS] > stores + 1) sum[ROOF_C_STORE_INSTRUCTIONS] = stores + 1;
}

int roof_native_find_meaning(const struct roof_native_instruction* instruction,
                             struct roof_segment* always, struct roof_segment* each,
                             struct roof_native_varying* varying) {
  const struct roof_native_varying none = {ROOF_VARIES_NOT, 0, 0, 0};
  struct pass pass = {instruction, always, each, varying, 0};
  *varying = none;
  if (!count_flops(&pass)) return 0;
  count_flags(&pass);
  if (pass.flags & ROOF_IS_REPEATED_STRING) {
    count_repeated(&pass);
  } else if (!roof_native_touches_nothing(instruction)) {
    count_accesses(&pass);
  }
  return 1;
}
