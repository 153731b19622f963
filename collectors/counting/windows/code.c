/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/code.h"

#include <stddef.h>

#include "collectors/counting/decoder/decoder.h"

/* The last bytes of the instruction, with a sign: 4 in the map 0F, else 1. */
static int32_t distance_in(const uint8_t* bytes, unsigned length) {
  struct roof_instruction in;
  roof_decode(bytes, length, &in);
  if (in.map == 0) return (int8_t)bytes[length - 1];
  uint32_t distance = 0;
  for (unsigned i = 1; i <= 4; ++i) distance = distance << 8 | bytes[length - i];
  return (int32_t)distance;
}

int roof_code_read(const uint8_t* bytes, unsigned length, uint64_t place,
                   struct roof_code_instruction* out) {
  const int is_known = roof_find_operands(bytes, length, &out->operands);
  out->place = place;
  out->accesses = 0;
  out->distance = out->operands.flags & ROOF_BRANCHES ? distance_in(bytes, length) : 0;
  out->length = (uint8_t)length;
  return is_known;
}

static uint64_t hash_of(const struct roof_code_instruction* instruction, uint32_t instructions) {
  uint64_t hash = instructions;
  for (uint32_t i = 0; i < instructions; ++i) {
    hash = (hash ^ instruction[i].place) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ instruction[i].accesses) * UINT64_C(0x9E3779B97F4A7C15);
  }
  return hash;
}

static int same_operands(const struct roof_operands* a, const struct roof_operands* b) {
  const uint8_t *left = (const uint8_t*)a, *right = (const uint8_t*)b;
  for (size_t i = 0; i < sizeof *a; ++i)
    if (left[i] != right[i]) return 0;
  return 1;
}

static int same(const struct roof_code* code, const struct roof_code_instruction* instruction,
                uint32_t instructions, int32_t counted) {
  if (code->instructions != instructions || code->counted != counted) return 0;
  for (uint32_t i = 0; i < instructions; ++i)
    if (code->instruction[i].place != instruction[i].place ||
        code->instruction[i].accesses != instruction[i].accesses ||
        code->instruction[i].distance != instruction[i].distance ||
        code->instruction[i].length != instruction[i].length ||
        !same_operands(&code->instruction[i].operands, &instruction[i].operands))
      return 0;
  return 1;
}

static const struct roof_code* add(struct roof_codes* codes, uint64_t hash,
                                   const struct roof_code_instruction* instruction,
                                   uint32_t instructions, int32_t counted) {
  const size_t bytes = sizeof(struct roof_code) + instructions * sizeof *instruction;
  struct roof_code* code = roof_memory_allocate(&codes->memory, bytes);
  if (!code) return NULL;
  code->entry.hash = hash;
  code->counted = counted;
  code->instructions = instructions;
  struct roof_code_instruction* copy = (struct roof_code_instruction*)(code + 1); /* one block */
  for (uint32_t i = 0; i < instructions; ++i) copy[i] = instruction[i];
  code->instruction = copy;
  if (roof_table_add(&codes->table, &codes->memory, &code->entry)) return code;
  roof_memory_release(&codes->memory, code, bytes);
  return NULL;
}

const struct roof_code* roof_codes_intern(struct roof_codes* codes,
                                          const struct roof_code_instruction* instruction,
                                          uint32_t instructions, int32_t counted) {
  const uint64_t hash = hash_of(instruction, instructions);
  for (struct roof_entry* entry = roof_table_find(&codes->table, hash); entry;
       entry = roof_table_next(entry)) {
    const struct roof_code* code = (const struct roof_code*)entry;
    if (same(code, instruction, instructions, counted)) return code;
  }
  return add(codes, hash, instruction, instructions, counted);
}
