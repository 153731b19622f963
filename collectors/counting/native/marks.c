/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the program is when translated code is interrupted. Used by signal handlers. */
#include "collectors/counting/native/translator.h"

static uint64_t number_at(const uint8_t* bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static uint64_t find(const uint8_t* code, uint32_t offset, unsigned* state) {
  const struct roof_native_head* head = (const struct roof_native_head*)(const void*)code - 1;
  const uint8_t* mark = code + head->marks;
  const uint8_t* end = mark + head->marks_size;
  uint32_t at = 0;
  uint64_t pc = roof_native_pc_of(-head->minus_pc), found = 0;
  while (mark < end) {
    const unsigned next_state = (unsigned)number_at(mark + 1, 2);
    if (mark[0]) {
      at += mark[0];
      pc += (uint64_t)(int8_t)mark[3];
      mark += 4;
    } else {
      at = (uint32_t)number_at(mark + 3, 4);
      pc = number_at(mark + 7, 8);
      mark += 15;
    }
    if (at > offset) break;
    *state = next_state | (unsigned)head->kept << 16;
    found = pc;
  }
  return found;
}

uint64_t roof_native_locate(const struct roof_native* native, uint64_t at, unsigned* state) {
  const uint32_t modules = __atomic_load_n(&native->modules, __ATOMIC_ACQUIRE);
  const uint8_t* place = (const uint8_t*)(uintptr_t)at;
  for (uint32_t i = 0; i < modules; ++i) {
    const struct roof_native_module* module = &native->module[i];
    if (place < module->code || place >= module->code_end) continue;
    const uint8_t* code = roof_native_cache_begin(module, place);
    return code ? find(code, (uint32_t)(place - code), state) : 0;
  }
  return 0;
}
