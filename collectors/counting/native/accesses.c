/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/accesses.h"

#include "collectors/counting/cache/record.h"
#include "collectors/counting/decoder/classify_evex.h"
#include "collectors/counting/decoder/decoder.h"

enum { kMostBytes = 16384, kRsp = 4, kR8 = 8 };

static unsigned flags_of(const struct roof_native_instruction* in) {
  struct roof_instruction decoded;
  struct roof_class meaning;
  struct roof_evex_class evex;
  if (!roof_decode(in->bytes, in->length, &decoded)) return 0;
  if (in->zydis.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
    return roof_classify_evex(&decoded, &evex) ? evex.flags : 0;
  roof_classify(&decoded, &meaning);
  return meaning.flags;
}

static int is_packed(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_VCOMPRESSPD:
    case ZYDIS_MNEMONIC_VCOMPRESSPS:
    case ZYDIS_MNEMONIC_VPCOMPRESSB:
    case ZYDIS_MNEMONIC_VPCOMPRESSW:
    case ZYDIS_MNEMONIC_VPCOMPRESSD:
    case ZYDIS_MNEMONIC_VPCOMPRESSQ:
    case ZYDIS_MNEMONIC_VEXPANDPD:
    case ZYDIS_MNEMONIC_VEXPANDPS:
    case ZYDIS_MNEMONIC_VPEXPANDB:
    case ZYDIS_MNEMONIC_VPEXPANDW:
    case ZYDIS_MNEMONIC_VPEXPANDD:
    case ZYDIS_MNEMONIC_VPEXPANDQ:
      return 1;
    default:
      return 0;
  }
}

static int has_short_index(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_VGATHERDPD:
    case ZYDIS_MNEMONIC_VGATHERDPS:
    case ZYDIS_MNEMONIC_VPGATHERDD:
    case ZYDIS_MNEMONIC_VPGATHERDQ:
    case ZYDIS_MNEMONIC_VSCATTERDPD:
    case ZYDIS_MNEMONIC_VSCATTERDPS:
    case ZYDIS_MNEMONIC_VPSCATTERDD:
    case ZYDIS_MNEMONIC_VPSCATTERDQ:
      return 1;
    default:
      return 0;
  }
}

static unsigned vector_bytes(ZydisRegister reg) {
  switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_ZMM:
      return 64;
    case ZYDIS_REGCLASS_YMM:
      return 32;
    default:
      return 16;
  }
}

/* What the stack pointer is where the operand's address is made, or which bytes below it are. */
static int32_t further(const struct roof_native_instruction* in, const ZydisDecodedOperand* memory,
                       int is_store) {
  const int hidden = memory->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
  if (memory->mem.base != ZYDIS_REGISTER_RSP) return 0;
  if (hidden) return is_store ? -(int32_t)(memory->size / 8) : 0;
  return in->zydis.mnemonic == ZYDIS_MNEMONIC_POP ? in->zydis.operand_width / 8 : 0;
}

static void find_mask(const struct roof_native_instruction* in, const ZydisDecodedOperand* memory,
                      struct roof_native_found_access* out) {
  struct roof_native_access* access = &out->access;
  struct roof_native_varying varying = {ROOF_VARIES_NOT, 0, 0, 0};
  const int gathers = memory->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
  const unsigned bytes = roof_native_find_mask(in, memory, &varying);
  access->mask = ROOF_MASK_NONE;
  if (!bytes) return;
  access->kind = ROOF_ACCESS_LANES;
  if (gathers) access->kind = ROOF_ACCESS_GATHER;
  if (is_packed(in->zydis.mnemonic)) access->kind = ROOF_ACCESS_PACKED;
  access->lanes = varying.lanes;
  access->element = (uint8_t)bytes;
  access->mask = varying.kind == ROOF_BY_MASK ? ROOF_MASK_BITS : ROOF_MASK_SIGNS;
  out->mask = varying.reg;
  out->mask_size = varying.wide ? 32 : 16;
  access->mask_slots = access->mask == ROOF_MASK_BITS ? 1 : out->mask_size / 8;
  access->slots = (uint8_t)(access->slots + access->mask_slots);
  if (!gathers) return;
  out->index_size = (uint8_t)vector_bytes(memory->mem.index);
  access->index = has_short_index(in->zydis.mnemonic) ? 4 : 8;
  access->scale = memory->mem.scale;
  access->slots = (uint8_t)(access->slots + out->index_size / 8);
}

static void find_one(const struct roof_native_instruction* in, unsigned operand, int is_store,
                     unsigned flags, struct roof_native_found_access* out) {
  const struct roof_native_found_access none = {.operand = (uint8_t)operand};
  const ZydisDecodedOperand* memory = &in->operands[operand];
  *out = none;
  unsigned bytes = memory->size / 8;
  if (bytes == 0) bytes = 1;
  if (bytes > kMostBytes) bytes = kMostBytes;
  out->access.slots = 1;
  out->further = further(in, memory, is_store);
  if (flags & ROOF_IS_REPEATED_STRING) {
    out->access.kind = ROOF_ACCESS_REPEATED;
    out->access.slots = 4;
    out->access.element = (uint8_t)bytes;
  } else {
    find_mask(in, memory, out);
    if (out->access.kind != ROOF_ACCESS_PLAIN) bytes = out->access.element;
  }
  const uint64_t kind = !is_store                  ? ROOF_LOAD
                        : flags & ROOF_IS_NT_STORE ? ROOF_NT_STORE
                                                   : ROOF_STORE;
  out->access.tag = ROOF_RECORD_TAG(kind, bytes);
}

static int is_accessed(const ZydisDecodedOperand* operand, unsigned actions) {
  return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
         (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM ||
          operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB) &&
         (operand->actions & actions) != 0;
}

unsigned roof_native_find_accesses(const struct roof_native_instruction* in,
                                   struct roof_native_found_access* out) {
  const unsigned flags = flags_of(in);
  unsigned count = 0;
  if (roof_native_touches_nothing(in)) return 0;
  for (int is_store = 0; is_store < 2; ++is_store) {
    const unsigned actions =
        is_store ? ZYDIS_OPERAND_ACTION_MASK_WRITE : ZYDIS_OPERAND_ACTION_MASK_READ;
    /* A masked non-temporal store reads nothing. */
    if (!is_store && flags & ROOF_IS_NT_STORE) continue;
    for (unsigned i = 0; i < in->zydis.operand_count && count < ROOF_ACCESSES_MOST; ++i)
      if (is_accessed(&in->operands[i], actions)) find_one(in, i, is_store, flags, &out[count++]);
  }
  return count;
}

static uint32_t bit_of(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64
             ? UINT32_C(1) << ZydisRegisterGetId(whole)
             : 0;
}

uint32_t roof_native_registers_of(const struct roof_native_instruction* in) {
  uint32_t bits = UINT32_C(1) << kRsp;
  /* With REX.B AMD's processors exchange r8 and rax, Intel's pause, as Zydis 4.0 takes it. */
  if (in->zydis.mnemonic == ZYDIS_MNEMONIC_PAUSE) bits |= UINT32_C(1) << kR8;
  for (unsigned i = 0; i < in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &in->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) bits |= bit_of(operand->reg.value);
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
      bits |= bit_of(operand->mem.base) | bit_of(operand->mem.index);
  }
  return bits;
}
