/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefixes and opcode (Intel SDM volume 2, chapter 2; AMD64 APM volume 3, chapter 1). */
#include "collectors/counting/decoder/decoder.h"

static int has_modrm_one_byte(uint8_t opcode) {
  if (opcode < 0x40) return (opcode & 7) < 4;
  return opcode == 0x63 || opcode == 0x69 || opcode == 0x6B || (opcode & 0xF0) == 0x80 ||
         opcode == 0xC0 || opcode == 0xC1 || opcode == 0xC6 || opcode == 0xC7 ||
         (opcode >= 0xD0 && opcode <= 0xD3) || (opcode >= 0xD8 && opcode <= 0xDF) ||
         opcode == 0xF6 || opcode == 0xF7 || opcode == 0xFE || opcode == 0xFF;
}

static int has_modrm(const struct roof_instruction* in) {
  if (in->map == 0) return has_modrm_one_byte(in->opcode);
  if (in->map != 1) return 1;
  switch (in->opcode) { /* syscall, clts, invd ..., rdtsc ..., cpuid, push/pop fs/gs, bswap */
    case 0x05:
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x0B:
    case 0x77:
    case 0xA0:
    case 0xA1:
    case 0xA2:
    case 0xA8:
    case 0xA9:
    case 0xAA:
      return 0;
    default:
      return !((in->opcode >= 0x30 && in->opcode <= 0x37) || (in->opcode & 0xF0) == 0x80 ||
               (in->opcode >= 0xC8 && in->opcode <= 0xCF));
  }
}

/* The opcode and what follows it; position is that of the opcode. */
static int finish(const uint8_t* bytes, unsigned size, unsigned position,
                  struct roof_instruction* out) {
  if (position >= size) return 0;
  out->opcode = bytes[position++];
  if (has_modrm(out)) {
    if (position >= size) return 0;
    out->modrm = bytes[position];
    out->modrm_at = (uint8_t)position;
  }
  return 1;
}

/* C5: two bytes, C4: three bytes. */
static int decode_vex(const uint8_t* bytes, unsigned size, unsigned position,
                      struct roof_instruction* out) {
  unsigned three = bytes[position] == 0xC4;
  if (position + 2 + three >= size) return 0;
  uint8_t last = bytes[position + 1 + three];
  out->encoding = ROOF_VEX;
  out->map = three ? bytes[position + 1] & 31 : 1;
  out->rex = (uint8_t)(~bytes[position + 1] >> 5 & (three ? 7 : ROOF_REX_R));
  out->vvvv = (uint8_t)(~last >> 3 & 15);
  out->rex_w = three ? last >> 7 : 0;
  out->bits = (last >> 2) & 1;
  out->prefix = last & 3;
  return finish(bytes, size, position + 2 + three, out);
}

static int decode_xop(const uint8_t* bytes, unsigned size, unsigned position,
                      struct roof_instruction* out) {
  if (position + 3 >= size) return 0;
  out->encoding = ROOF_XOP;
  out->map = bytes[position + 1] & 31;
  out->rex = (uint8_t)(~bytes[position + 1] >> 5 & 7);
  out->vvvv = (uint8_t)(~bytes[position + 2] >> 3 & 15);
  out->rex_w = bytes[position + 2] >> 7;
  out->bits = (bytes[position + 2] >> 2) & 1;
  out->prefix = bytes[position + 2] & 3;
  return finish(bytes, size, position + 3, out);
}

static int decode_evex(const uint8_t* bytes, unsigned size, unsigned position,
                       struct roof_instruction* out) {
  if (position + 4 >= size) return 0;
  out->encoding = ROOF_EVEX;
  out->map = bytes[position + 1] & 7;
  out->rex_w = bytes[position + 2] >> 7;
  out->prefix = bytes[position + 2] & 3;
  out->bits = (bytes[position + 3] >> 5) & 3;
  out->mask = bytes[position + 3] & 7;
  out->b = (bytes[position + 3] >> 4) & 1;
  return finish(bytes, size, position + 4, out);
}

/* 0F, 0F 38, 0F 3A. */
static int decode_legacy(const uint8_t* bytes, unsigned size, unsigned position,
                         struct roof_instruction* out) {
  if (bytes[position] == 0x0F) {
    out->map = 1;
    if (++position >= size) return 0;
    if (bytes[position] == 0x38 || bytes[position] == 0x3A) {
      out->map = bytes[position] == 0x38 ? 2 : 3;
      ++position;
    }
  }
  return finish(bytes, size, position, out);
}

/* Prefixes in any order; a REX counts only if it comes last. Returns the position behind them. */
static unsigned read_prefixes(const uint8_t* bytes, unsigned size, struct roof_instruction* out) {
  unsigned position = 0;
  for (; position < size; ++position) {
    uint8_t byte = bytes[position];
    if (byte >= 0x40 && byte <= 0x4F) {
      out->rex_w = (byte >> 3) & 1;
      out->rex = (uint8_t)((byte & 7) | ROOF_REX_ANY);
      continue;
    }
    switch (byte) {
      case 0x66:
        if (out->prefix == ROOF_NP) out->prefix = ROOF_66;
        out->word = 1;
        break;
      case 0xF3:
        out->prefix = ROOF_F3;
        break;
      case 0xF2:
        out->prefix = ROOF_F2;
        break;
      case 0x26:
      case 0x2E:
      case 0x36:
      case 0x3E:
      case 0x64:
      case 0x65:
      case 0x67:
        break;
      case 0xF0:
        out->lock = 1;
        break;
      default:
        return position;
    }
    out->rex_w = 0;
    out->rex = 0;
  }
  return position;
}

int roof_decode(const uint8_t* bytes, unsigned size, struct roof_instruction* out) {
  const struct roof_instruction empty = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  *out = empty;
  if (size == 0) return 0;
  out->immediate = bytes[size - 1];
  unsigned position = read_prefixes(bytes, size, out);
  if (position >= size) return 0;
  if (bytes[position] == 0xC4 || bytes[position] == 0xC5)
    return decode_vex(bytes, size, position, out);
  if (bytes[position] == 0x62) return decode_evex(bytes, size, position, out);
  /* 8F /0 is pop; XOP needs a map of 8 or more in that place. */
  if (bytes[position] == 0x8F && position + 1 < size && (bytes[position + 1] & 31) >= 8)
    return decode_xop(bytes, size, position, out);
  return decode_legacy(bytes, size, position, out);
}
