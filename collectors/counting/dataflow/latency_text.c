/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/dataflow/latency_text.h"

static const struct roof_latency_row kRows[] = {
    {"move", offsetof(struct roof_latencies, operation[ROOF_L_MOVE]), 0},
    {"int", offsetof(struct roof_latencies, operation[ROOF_L_INT]), 1},
    {"int_mul", offsetof(struct roof_latencies, operation[ROOF_L_INT_MUL]), 3},
    {"int_div_32", offsetof(struct roof_latencies, operation[ROOF_L_INT_DIV_32]), 10},
    {"int_div_64", offsetof(struct roof_latencies, operation[ROOF_L_INT_DIV_64]), 10},
    {"dp_add", offsetof(struct roof_latencies, operation[ROOF_L_DP_ADD]), 3},
    {"dp_mul", offsetof(struct roof_latencies, operation[ROOF_L_DP_MUL]), 3},
    {"dp_fma", offsetof(struct roof_latencies, operation[ROOF_L_DP_FMA]), 4},
    {"dp_div", offsetof(struct roof_latencies, operation[ROOF_L_DP_DIV]), 13},
    {"dp_sqrt", offsetof(struct roof_latencies, operation[ROOF_L_DP_SQRT]), 13},
    {"sp_add", offsetof(struct roof_latencies, operation[ROOF_L_SP_ADD]), 3},
    {"sp_mul", offsetof(struct roof_latencies, operation[ROOF_L_SP_MUL]), 3},
    {"sp_fma", offsetof(struct roof_latencies, operation[ROOF_L_SP_FMA]), 4},
    {"sp_div", offsetof(struct roof_latencies, operation[ROOF_L_SP_DIV]), 10},
    {"sp_sqrt", offsetof(struct roof_latencies, operation[ROOF_L_SP_SQRT]), 12},
    {"approximate", offsetof(struct roof_latencies, operation[ROOF_L_FP_APPROXIMATE]), 4},
    {"compare", offsetof(struct roof_latencies, operation[ROOF_L_FP_COMPARE]), 1},
    {"convert", offsetof(struct roof_latencies, operation[ROOF_L_CONVERT]), 3},
    {"convert_general", offsetof(struct roof_latencies, operation[ROOF_L_CONVERT_GENERAL]), 6},
    {"to_vector", offsetof(struct roof_latencies, operation[ROOF_L_TO_VECTOR]), 1},
    {"from_vector", offsetof(struct roof_latencies, operation[ROOF_L_FROM_VECTOR]), 1},
    {"vector_int", offsetof(struct roof_latencies, operation[ROOF_L_VECTOR_INT]), 1},
    {"vector_int_mul", offsetof(struct roof_latencies, operation[ROOF_L_VECTOR_INT_MUL]), 3},
    {"vector_other", offsetof(struct roof_latencies, operation[ROOF_L_VECTOR_OTHER]), 3},
    {"shuffle", offsetof(struct roof_latencies, operation[ROOF_L_SHUFFLE]), 1},
    {"cross", offsetof(struct roof_latencies, operation[ROOF_L_CROSS]), 2},
    {"x87_move", offsetof(struct roof_latencies, operation[ROOF_L_X87_MOVE]), 0},
    {"x87_add", offsetof(struct roof_latencies, operation[ROOF_L_X87_ADD]), 3},
    {"x87_mul", offsetof(struct roof_latencies, operation[ROOF_L_X87_MUL]), 4},
    {"x87_div", offsetof(struct roof_latencies, operation[ROOF_L_X87_DIV]), 14},
    {"x87_sqrt", offsetof(struct roof_latencies, operation[ROOF_L_X87_SQRT]), 14},
    {"x87_transcendental", offsetof(struct roof_latencies, operation[ROOF_L_X87_TRANSCENDENTAL]),
     40},
    {"add_behind_other", offsetof(struct roof_latencies, add_behind_other), 0},
    {"merge", offsetof(struct roof_latencies, merge), 1},
    {"load_l1", offsetof(struct roof_latencies, load[ROOF_FLOW_L1]), 4},
    {"load_l2", offsetof(struct roof_latencies, load[ROOF_FLOW_L2]), 14},
    {"load_l3", offsetof(struct roof_latencies, load[ROOF_FLOW_L3]), 50},
    {"load_dram", offsetof(struct roof_latencies, load[ROOF_FLOW_DRAM]), 250},
    {"load_vector", offsetof(struct roof_latencies, load_vector), 2},
    {"forward_general", offsetof(struct roof_latencies, forward_general), 0},
    {"forward_vector", offsetof(struct roof_latencies, forward_vector), 5},
    {"second_tlb", offsetof(struct roof_latencies, second_tlb), 0},
    {"walk_cache", offsetof(struct roof_latencies, walk_cache), 0},
    {"walk_dram", offsetof(struct roof_latencies, walk_dram), 0},
    {"mispredicted", offsetof(struct roof_latencies, mispredicted), 0},
    {"atomic", offsetof(struct roof_latencies, atomic), 0},
    {"loads", offsetof(struct roof_latencies, loads), 0},
    {"vector_loads", offsetof(struct roof_latencies, vector_loads), 0},
    {"stores", offsetof(struct roof_latencies, stores), 0},
    {"width", offsetof(struct roof_latencies, width), 6},
    {"window", offsetof(struct roof_latencies, window), 512},
    {"misses", offsetof(struct roof_latencies, misses), 48},
    {"misses_dram", offsetof(struct roof_latencies, misses_dram), ROOF_FLOW_MISSES},
    {NULL, 0, 0}};

const struct roof_latency_row* roof_latency_rows(void) { return kRows; }

static uint16_t* place_of(struct roof_latencies* latencies, const struct roof_latency_row* row) {
  return (uint16_t*)(void*)((uint8_t*)latencies + row->offset);
}

/* What follows "name=" at the begin of the text; NULL if it does not begin so. */
static const char* after_name(const char* text, const char* name) {
  while (*name && *text == *name) ++text, ++name;
  return *name == 0 && *text == '=' ? text + 1 : NULL;
}

/* What follows a number that ends at a comma or at the end; NULL if there is none. */
static const char* after_number(const char* text, uint16_t* out) {
  uint32_t value = 0;
  if (*text < '0' || *text > '9') return NULL;
  for (; *text >= '0' && *text <= '9'; ++text) {
    value = 10 * value + (uint32_t)(*text - '0');
    if (value > UINT16_MAX) return NULL;
  }
  if (*text != 0 && *text != ',') return NULL;
  *out = (uint16_t)value;
  return *text == ',' ? text + 1 : text;
}

/* Each of these as 0 is a core that does nothing. */
static int is_limit(const struct roof_latency_row* row) {
  return row->offset >= offsetof(struct roof_latencies, width);
}

/* What follows the prefix; NULL if the text does not begin so. */
static const char* after_prefix(const char* text, const char* prefix) {
  while (*prefix && *text == *prefix) ++text, ++prefix;
  return *prefix == 0 ? text : NULL;
}

/* Where the value of the row goes: to the row itself, or behind "units_" and "busy_" to what the
 * class of operations of that name has. NULL: there is no such class. */
static uint16_t* place_behind(struct roof_latencies* out, const struct roof_latency_row* row,
                              uint16_t* of_classes) {
  const size_t class =
      (row->offset - offsetof(struct roof_latencies, operation)) / sizeof(uint16_t);
  if (!of_classes) return place_of(out, row);
  return class < ROOF_LATENCY_CLASSES ? &of_classes[class] : NULL;
}

static const char* read_one(const char* text, struct roof_latencies* out) {
  const char *units = after_prefix(text, "units_"), *busy = after_prefix(text, "busy_");
  uint16_t* of_classes = units ? out->units : busy ? out->busy : NULL;
  const char* name = units ? units : busy ? busy : text;
  for (const struct roof_latency_row* row = kRows; row->name; ++row) {
    const char* value = after_name(name, row->name);
    uint16_t number = 0;
    if (!value) continue;
    uint16_t* place = place_behind(out, row, of_classes);
    const char* rest = after_number(value, &number);
    if (!place || !rest || (number == 0 && is_limit(row))) return NULL;
    *place = number;
    return rest;
  }
  return NULL;
}

const char* roof_latencies_parse(const char* text, struct roof_latencies* out) {
  static const struct roof_latencies kNone;
  *out = kNone;
  for (const struct roof_latency_row* row = kRows; row->name; ++row)
    *place_of(out, row) = row->usual;
  while (*text) {
    const char* rest = read_one(text, out);
    if (!rest) return text;
    text = rest;
  }
  return NULL;
}
