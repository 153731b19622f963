/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/pieces.h"

#include <stddef.h>

#include "collectors/counting/native/evex_operands.h"
#include "collectors/counting/native/trail_read.h"
#include "collectors/counting/native/translator.h"

void roof_native_keep_code(struct roof_native* native, roof_native_window window) {
  native->window = window;
  native->codes.memory = native->memory;
}

static uint64_t hash_of_address(const void* address) {
  return (uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15);
}

static uint32_t words_of(const struct roof_native_access* access) {
  return access->kind == ROOF_ACCESS_PLAIN || access->kind == ROOF_ACCESS_REPEATED ? 1
                                                                                   : access->lanes;
}

static uint32_t words_of_instruction(const struct roof_native_block* block, unsigned i) {
  uint32_t words = 0;
  for (unsigned a = 0; a < block->accesses[i]; ++a) words += words_of(&block->access[i][a].access);
  return words;
}

static int repeats(const struct roof_native_block* block, unsigned i) {
  return block->accesses[i] && block->access[i][0].access.kind == ROOF_ACCESS_REPEATED;
}

static int has_tags(const struct roof_descriptor* descriptor, uint32_t words, const uint64_t* tag) {
  if (descriptor->accesses != words) return 0;
  for (uint32_t i = 0; i < words; ++i)
    if (descriptor->tag[i] != tag[i]) return 0;
  return 1;
}

/* The same one for the same code: a library that is loaded again at its place takes no more. */
static struct roof_descriptor* describe(struct roof_native* native, const struct roof_code* code,
                                        uint32_t words, const uint64_t* tag) {
  const uint64_t hash = hash_of_address(code);
  if (!code) return NULL;
  for (struct roof_entry* entry = roof_table_find(&native->described, hash); entry;
       entry = roof_table_next(entry)) {
    struct roof_descriptor* known = (struct roof_descriptor*)entry;
    if (known->code == code && has_tags(known, words, tag)) return known;
  }
  struct roof_descriptor* descriptor =
      roof_memory_allocate(&native->memory, sizeof *descriptor + words * sizeof *tag);
  if (!descriptor) return NULL;
  uint64_t* tags = (uint64_t*)(descriptor + 1);
  for (uint32_t i = 0; i < words; ++i) tags[i] = tag[i];
  descriptor->entry.hash = hash;
  descriptor->code = code;
  descriptor->accesses = (uint16_t)words;
  descriptor->tag = tags;
  return roof_table_add(&native->described, &native->memory, &descriptor->entry) ? descriptor
                                                                                 : NULL;
}

/* Instructions [from, to), of which so many count. */
static const struct roof_descriptor* make_code(struct roof_native* native, unsigned from,
                                               unsigned to, int32_t counted) {
  const struct roof_native_block* block = &native->block;
  struct roof_code_instruction code[ROOF_BLOCK_MOST];
  uint64_t* tag = native->each.tag;
  uint32_t words = 0;
  for (unsigned i = from; i < to; ++i) {
    const struct roof_native_instruction* in = &block->in[i];
    struct roof_code_instruction* made = &code[i - from];
    if (!roof_code_read(in->bytes, in->length, in->pc, made))
      roof_native_find_evex_operands(&native->decoder, in, &made->operands);
    made->accesses = words_of_instruction(block, i);
    for (unsigned a = 0; a < block->accesses[i]; ++a) {
      const struct roof_native_access* access = &block->access[i][a].access;
      for (uint32_t k = words_of(access); k > 0; --k) tag[words++] = access->tag;
    }
  }
  return describe(native, roof_codes_intern(&native->codes, code, to - from, counted), words, tag);
}

static int make_piece(struct roof_native* native, unsigned from, unsigned to,
                      struct roof_native_piece* out) {
  const struct roof_native_block* block = &native->block;
  const int again = repeats(block, from);
  out->code = make_code(native, from, to, (int32_t)(to - from));
  out->again = again ? make_code(native, from, to, 0) : NULL;
  out->accesses = 0;
  for (unsigned i = from; i < to; ++i) out->accesses += block->accesses[i];
  return out->code && (!again || out->again);
}

/* Where the piece that begins at an instruction ends. */
static unsigned end_of(const struct roof_native_block* block, unsigned from) {
  uint32_t words = words_of_instruction(block, from);
  unsigned to = from + 1;
  if (repeats(block, from)) return to;
  for (; to < block->count && !repeats(block, to); ++to) {
    words += words_of_instruction(block, to);
    if (words > ROOF_MAX_ACCESSES) break;
  }
  return to;
}

static int same_pieces(const struct roof_native_pieces* pieces,
                       const struct roof_native_piece* piece, uint32_t count) {
  if (pieces->count != count) return 0;
  for (uint32_t i = 0; i < count; ++i)
    if (pieces->piece[i].code != piece[i].code || pieces->piece[i].again != piece[i].again ||
        pieces->piece[i].accesses != piece[i].accesses)
      return 0;
  return 1;
}

static const struct roof_native_pieces* keep_pieces(struct roof_native* native,
                                                    const struct roof_native_piece* piece,
                                                    uint32_t count) {
  const uint64_t hash = hash_of_address(count ? piece[0].code : NULL);
  for (struct roof_entry* entry = roof_table_find(&native->pieces, hash); entry;
       entry = roof_table_next(entry)) {
    const struct roof_native_pieces* known = (const struct roof_native_pieces*)entry;
    if (same_pieces(known, piece, count)) return known;
  }
  struct roof_native_pieces* pieces =
      roof_memory_allocate(&native->memory, sizeof *pieces + count * sizeof *piece);
  if (!pieces) return NULL;
  pieces->entry.hash = hash;
  pieces->count = count;
  for (uint32_t i = 0; i < count; ++i) {
    pieces->piece[i] = piece[i];
    pieces->words += 1 + piece[i].code->accesses;
  }
  return roof_table_add(&native->pieces, &native->memory, &pieces->entry) ? pieces : NULL;
}

const struct roof_native_pieces* roof_native_make_pieces(struct roof_native* native) {
  struct roof_native_piece piece[ROOF_BLOCK_MOST];
  uint32_t count = 0;
  for (unsigned i = 0, to; i < native->block.count; i = to) {
    to = end_of(&native->block, i);
    if (!make_piece(native, i, to, &piece[count++])) return NULL;
  }
  return keep_pieces(native, piece, count);
}

static uint64_t index_at(const struct roof_native_access* access, const uint64_t* indices,
                         uint32_t lane) {
  if (access->index == 8) return indices[lane];
  return (uint64_t)(int64_t)(int32_t)(indices[lane / 2] >> lane % 2 * 32);
}

/* Addresses of one access; returns what follows them. */
static uint64_t* put_access(const struct roof_native_access* access, const uint64_t* slot,
                            uint64_t* out) {
  if (access->kind == ROOF_ACCESS_PLAIN) {
    *out++ = slot[0];
    return out;
  }
  const uint64_t lanes = roof_native_lanes_of(access, slot + 1);
  const uint64_t* indices = slot + 1 + access->mask_slots;
  uint64_t packed = 0;
  for (uint32_t lane = 0; lane < access->lanes; ++lane) {
    const uint64_t place = access->kind == ROOF_ACCESS_GATHER
                               ? index_at(access, indices, lane) * access->scale
                           : access->kind == ROOF_ACCESS_PACKED ? packed * access->element
                                                                : (uint64_t)lane * access->element;
    const int there = (int)(lanes >> lane & 1);
    out[lane] = there ? slot[0] + place : 0;
    packed += (uint64_t)there;
  }
  return out + access->lanes;
}

struct pieces_reader {
  const struct roof_native_access* access; /* the next one; NULL: all are plain */
  const uint64_t* slot;
  uint64_t* words;
  roof_native_take_piece take;
  void* cookie;
};

static void read_repeated(struct pieces_reader* reader, const struct roof_native_piece* piece) {
  const struct roof_native_access* access = reader->access;
  const uint64_t* slot = reader->slot;
  const uint64_t times = slot[1] - slot[2];
  const uint64_t step = slot[3] < slot[0] ? -(uint64_t)access->element : access->element;
  for (uint64_t i = 0; i == 0 || i < times; ++i) {
    reader->words[0] = (uint64_t)(uintptr_t)(i ? piece->again : piece->code);
    for (uint32_t a = 0; a < piece->accesses; ++a)
      reader->words[1 + a] = times ? slot[(size_t)a * access->slots] + i * step : 0;
    reader->take(reader->cookie, reader->words, reader->words + 1 + piece->accesses);
  }
  reader->access += piece->accesses;
  reader->slot += (size_t)piece->accesses * access->slots;
}

static void read_piece(struct pieces_reader* reader, const struct roof_native_piece* piece) {
  uint64_t* out = reader->words;
  *out++ = (uint64_t)(uintptr_t)piece->code;
  for (uint32_t i = 0; i < piece->accesses; ++i) {
    if (!reader->access) {
      *out++ = *reader->slot++;
      continue;
    }
    out = put_access(reader->access, reader->slot, out);
    reader->slot += reader->access++->slots;
  }
  reader->take(reader->cookie, reader->words, out);
}

static const struct roof_native_pieces* pieces_of(uint64_t header) {
  return (const void*)(uintptr_t)roof_native_trail_of(header)->pieces;
}

uint64_t roof_native_place_of_pieces(const uint64_t* next) {
  return pieces_of(*next)->piece[0].code->code->instruction[0].place;
}

const uint64_t* roof_native_read_pieces(const uint64_t* next, uint64_t* words,
                                        roof_native_take_piece take, void* cookie) {
  const uint64_t header = *next;
  const struct roof_native_trail* trail = roof_native_trail_of(header);
  const struct roof_native_pieces* pieces = pieces_of(header);
  const uint32_t times = roof_native_times_of(&next);
  struct pieces_reader reader = {NULL, next, words, take, cookie};
  for (uint32_t i = 0; i < times; ++i) {
    reader.access = header & ROOF_HEADER_PLAIN ? NULL : (const void*)trail->data;
    for (uint32_t p = 0; p < pieces->count; ++p) {
      if (reader.access && pieces->piece[p].again) {
        read_repeated(&reader, &pieces->piece[p]);
      } else {
        read_piece(&reader, &pieces->piece[p]);
      }
    }
  }
  return reader.slot;
}

uint64_t roof_native_count_words(const uint64_t* begin, const uint64_t* end) {
  uint64_t words = 0;
  while (begin < end) {
    const uint64_t header = *begin;
    const uint64_t times = roof_native_times_of(&begin);
    const uint64_t slots = times * roof_native_slots_of(header);
    words += header & ROOF_HEADER_WORDS ? times + slots : times * pieces_of(header)->words;
    begin += slots;
  }
  return words;
}
