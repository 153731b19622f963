/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions of the program, and what counts lanes and repetitions beside them. */
#include "collectors/counting/native/translator.h"

enum { kScratch = ROOF_AT_SPILL, kScratchOfFlags = ROOF_AT_SPILL + 8 };

void roof_native_copy(struct roof_native_emitter* e, const struct roof_native_instruction* in) {
  uint8_t* copy = e->at;
  roof_emit_bytes(e, in->bytes, in->length);
  if (e->failed || !(in->zydis.attributes & ZYDIS_ATTRIB_IS_RELATIVE)) return;
  const uint64_t to = in->pc + in->length + (uint64_t)in->zydis.raw.disp.value;
  const uint64_t distance = to - (uint64_t)(uintptr_t)(copy + in->length);
  if ((int64_t)distance != (int32_t)distance) {
    e->failed = 1;
    return;
  }
  for (unsigned i = 0; i < 4; ++i)
    copy[in->zydis.raw.disp.offset + i] = (uint8_t)(distance >> 8 * i);
}

/* rcx = the bits of the mask. Up to 16 lanes AVX512F is enough; more need AVX512BW, as such masks
 * do. */
static void emit_read_mask(struct roof_native_emitter* e, unsigned k, int wide) {
  static const uint8_t kWord[] = {0xC5, 0xF8, 0x93};       /* kmovw ecx, k */
  static const uint8_t kQuad[] = {0xC4, 0xE1, 0xFB, 0x93}; /* kmovq rcx, k */
  if (wide) {
    roof_emit_bytes(e, kQuad, sizeof kQuad);
  } else {
    roof_emit_bytes(e, kWord, sizeof kWord);
  }
  roof_emit_byte(e, 0xC8 | k);
}

/* vmovmskps or vmovmskpd ecx, vector register. */
static void emit_read_signs(struct roof_native_emitter* e,
                            const struct roof_native_varying* varying) {
  roof_emit_byte(e, 0xC4);
  roof_emit_byte(e, varying->reg & 8 ? 0xC1 : 0xE1);
  roof_emit_byte(e,
                 0x78u | (varying->wide ? 4u : 0u) | (varying->kind == ROOF_BY_SIGNS_PD ? 1u : 0u));
  roof_emit_byte(e, 0x50);
  roof_emit_byte(e, 0xC8u | (varying->reg & 7u));
}

/* rcx = the number of bits set in its first `lanes`. Changes the flags. */
static void emit_count_bits(struct roof_native_emitter* e, unsigned lanes) {
  static const uint8_t kPopcount[] = {0xF3, 0x48, 0x0F, 0xB8, 0xC9};
  static const uint8_t kAnd[] = {0x81, 0xE1};
  static const uint8_t kLowHalf[] = {0x89, 0xC9}; /* mov ecx, ecx */
  if (lanes < 32) {
    roof_emit_bytes(e, kAnd, sizeof kAnd);
    roof_emit_u32(e, (UINT32_C(1) << lanes) - 1);
  } else if (lanes == 32) {
    roof_emit_bytes(e, kLowHalf, sizeof kLowHalf);
  }
  roof_emit_bytes(e, kPopcount, sizeof kPopcount);
}

static void count_lanes(struct roof_native_emitter* e, const struct roof_native_varying* varying,
                        uint32_t slot, int flags_live) {
  enum { kBoth = ROOF_MARK_RCX | ROOF_MARK_RAX_BEHIND };
  roof_emit_store(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, ROOF_MARK_RCX);
  if (flags_live) {
    roof_emit_store(e, ROOF_E_RAX, kScratchOfFlags);
    roof_emit_mark(e, kBoth);
    roof_emit_save_flags(e, kBoth);
  }
  if (varying->kind == ROOF_BY_MASK) {
    emit_read_mask(e, varying->reg, varying->lanes > 16);
  } else {
    emit_read_signs(e, varying);
  }
  emit_count_bits(e, varying->lanes);
  roof_emit_add_register(e, roof_native_slot_offset(slot), ROOF_E_RCX);
  if (flags_live) {
    roof_emit_restore_flags(e, kBoth);
    roof_emit_load(e, ROOF_E_RAX, kScratchOfFlags);
    roof_emit_mark(e, ROOF_MARK_RCX);
  }
  roof_emit_load(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, 0);
}

void roof_native_count_before(struct roof_native_emitter* e,
                              const struct roof_native_varying* varying, uint32_t slot,
                              int flags_live) {
  switch (varying->kind) {
    case ROOF_VARIES_NOT:
      break;
    case ROOF_BY_REPETITION:
    case ROOF_BY_REPETITION_LEFT:
      roof_emit_add_rcx_quietly(e, roof_native_slot_offset(slot), 1, kScratch);
      break;
    default:
      count_lanes(e, varying, slot, flags_live);
      break;
  }
}

void roof_native_count_behind(struct roof_native_emitter* e,
                              const struct roof_native_varying* varying, uint32_t slot) {
  if (varying->kind == ROOF_BY_REPETITION_LEFT)
    roof_emit_add_rcx_quietly(e, roof_native_slot_offset(slot), -1, kScratch);
}
