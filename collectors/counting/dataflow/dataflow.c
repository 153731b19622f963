/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/dataflow/dataflow.h"

#include "collectors/counting/dataflow/state.h"

static size_t bytes_of(uint32_t capacity) {
  return sizeof(struct roof_dataflow) + capacity * sizeof(struct roof_flow_node);
}

static uint32_t at_most(uint32_t value, uint32_t most) { return value < most ? value : most; }

static void empty(struct roof_flow_slots* slots) {
  slots->gaps = 0;
  for (uint32_t i = 0; i < ROOF_FLOW_MISSES; ++i) slots->slot[i].to = 0;
  for (uint32_t i = 0; i < ROOF_FLOW_GAPS; ++i) slots->gap[i].to = 0;
}

struct roof_dataflow* roof_dataflow_create(const struct roof_memory* memory,
                                           const struct roof_latencies* latencies,
                                           uint32_t capacity) {
  struct roof_dataflow* flow = roof_memory_allocate(memory, bytes_of(capacity));
  if (!flow) return NULL;
  flow->memory = *memory;
  flow->latencies = *latencies;
  flow->capacity = capacity;
  flow->misses.count = at_most(latencies->misses, ROOF_FLOW_MISSES);
  flow->misses_dram.count = at_most(latencies->misses_dram, flow->misses.count);
  roof_dataflow_begin(flow);
  return flow;
}

void roof_dataflow_destroy(struct roof_dataflow* flow) {
  const struct roof_memory memory = flow->memory;
  roof_memory_release(&memory, flow, bytes_of(flow->capacity));
}

void roof_dataflow_begin(struct roof_dataflow* flow) {
  static const struct roof_moment kStart = {0, ROOF_FLOW_NOBODY};
  flow->count = flow->measured_from = flow->entered = flow->stores = 0;
  flow->x87_top = 0;
  flow->redirect = kStart;
  for (uint32_t i = 0; i < ROOF_REGISTERS; ++i) flow->value[i] = kStart;
  roof_flow_units_begin(&flow->units);
  empty(&flow->misses);
  empty(&flow->misses_dram);
  for (uint32_t i = 0; i < ROOF_FLOW_LINES; ++i) {
    flow->coming[i].line = 0;
    flow->stride[i].place = 0;
  }
  for (uint32_t i = 0; i < ROOF_FLOW_SETS * ROOF_FLOW_WAYS; ++i)
    flow->touched[i / ROOF_FLOW_WAYS].line[i % ROOF_FLOW_WAYS] = 0;
  for (uint32_t i = 0; i < ROOF_FLOW_WORDS; ++i) flow->word[i].word = 0;
}

void roof_dataflow_measure(struct roof_dataflow* flow) { flow->measured_from = flow->count; }

/* In order, `width` a cycle, behind one that is a window before it, and behind a branch that was
 * mispredicted. */
static void enter(struct roof_dataflow* flow, struct roof_flow_node* node) {
  const uint32_t window = flow->latencies.window;
  uint32_t issue = flow->count ? node[-1].issue : 0;
  if (flow->entered == flow->latencies.width) {
    flow->entered = 0;
    ++issue;
  }
  node->waited_for_window = 0;
  if (flow->count >= window && (node - window)->left.at > issue) {
    issue = (node - window)->left.at;
    flow->entered = 0;
    node->waited_for_window = 1;
  }
  node->redirected = flow->redirect.by != ROOF_FLOW_NOBODY && flow->redirect.at > issue;
  if (node->redirected) {
    issue = flow->redirect.at;
    flow->entered = 0;
    node->waited_for_window = 0;
  }
  flow->redirect.by = ROOF_FLOW_NOBODY;
  ++flow->entered;
  node->issue = issue;
}

static struct roof_moment* register_of(struct roof_dataflow* flow, unsigned which) {
  if (which >= ROOF_R_X87 && which < ROOF_R_MMX)
    return &flow->value[ROOF_R_X87 + ((which + flow->x87_top) & 7)];
  return &flow->value[which];
}

static struct roof_moment ready(struct roof_dataflow* flow, const struct roof_operands* operands,
                                unsigned role) {
  struct roof_moment latest = {0, ROOF_FLOW_NOBODY};
  for (unsigned i = 0; i < operands->reads; ++i)
    if (operands->role[i] == role) roof_later(&latest, *register_of(flow, operands->read[i]));
  return latest;
}

static int is_vector(unsigned which) { return which >= ROOF_R_VECTOR && which < ROOF_R_CARRY; }

/* What is loaded meets vectors: even a compare of one with memory, whose result is flags. */
static int loads_vector(const struct roof_operands* operands) {
  for (unsigned i = 0; i < operands->writes; ++i)
    if (is_vector(operands->write[i])) return 1;
  for (unsigned i = 0; i < operands->reads; ++i)
    if (is_vector(operands->read[i]) && operands->role[i] == ROOF_FOR_DATA) return 1;
  return 0;
}

/* A part of what an instruction loads may wait for another part's line, or for its place among the
 * lines on their way. What the instruction waits for is then what all parts wait for. */
static void wait_for_another(const struct roof_flow_load* load, struct roof_loaded* part) {
  if (part->before != load->self) return;
  part->cycles = part->at - load->start.at;
  part->before = load->start.by;
  part->wait = ROOF_WAIT_VALUE;
}

/* Loads of a cycle, to vectors or not, are so many of the same ports. 0: any number. */
static uint32_t ports(uint32_t first, uint32_t count) {
  return ((1u << at_most(count, ROOF_FLOW_PORTS)) - 1) << first;
}

static int crosses_lines(const struct roof_flow_access* access) {
  return (access->address & 63) + access->bytes > 64;
}

/* Where the access may begin; a second port if it has parts in two lines. */
static uint32_t take_port(struct roof_flow_units* units, uint32_t which, uint32_t from,
                          const struct roof_flow_access* access) {
  if (!which) return from;
  const uint32_t at = roof_flow_take_unit(units, which, 1, from);
  return crosses_lines(access) ? roof_flow_take_unit(units, which, 1, at) : at;
}

/* The latest of what the instruction loads; at 0 if it loads nothing. */
static struct roof_loaded load_all(struct roof_dataflow* flow, const struct roof_flow_node* node,
                                   const struct roof_flow_step* step) {
  struct roof_flow_load load = {flow->count, step->place,
                                ready(flow, step->operands, ROOF_FOR_ADDRESS),
                                (unsigned)loads_vector(step->operands)};
  const uint32_t which = ports(
      ROOF_FLOW_LOAD_PORT, load.to_vector ? flow->latencies.vector_loads : flow->latencies.loads);
  struct roof_loaded latest = {0, 0, 0, 0, ROOF_FLOW_NOBODY, ROOF_WAIT_ISSUE, 0};
  if (node->is_atomic && flow->count) roof_later(&load.start, node[-1].left);
  if (load.start.at <= node->issue) {
    load.start.at = node->issue;
    load.start.by = ROOF_FLOW_NOBODY;
  }
  for (uint32_t i = 0; i < step->accesses; ++i) {
    if (step->access[i].is_store) continue;
    struct roof_flow_load part = load;
    part.start.at = take_port(&flow->units, which, load.start.at, &step->access[i]);
    struct roof_loaded one = roof_flow_load_line(flow, &part, &step->access[i]);
    roof_flow_load_words(flow, &part, &step->access[i], &one);
    wait_for_another(&part, &one);
    if (one.before == load.start.by && one.wait == ROOF_WAIT_VALUE)
      one.port = part.start.at - load.start.at;
    if (one.at >= latest.at) latest = one;
    roof_flow_touch(flow, &step->access[i]);
  }
  return latest;
}

/* Returns when the last of it has left for the cache. */
static uint32_t store_all(struct roof_dataflow* flow, const struct roof_flow_node* node,
                          const struct roof_flow_step* step) {
  const struct roof_moment stored = {node->done, flow->count};
  const uint32_t which = ports(ROOF_FLOW_STORE_PORT, flow->latencies.stores);
  uint32_t left = node->done;
  for (uint32_t i = 0; i < step->accesses; ++i) {
    if (!step->access[i].is_store) continue;
    const uint32_t at = take_port(&flow->units, which, node->done, &step->access[i]);
    if (at > left) left = at;
    roof_flow_store_words(flow, &step->access[i], stored);
    roof_flow_touch(flow, &step->access[i]);
  }
  return left;
}

static int is_addition(unsigned latency) {
  return latency == ROOF_L_DP_ADD || latency == ROOF_L_SP_ADD;
}

/* Many cores hand a sum to an addition a cycle earlier than other results. What a copy or a load
 * brings does not pay for that: a time by dependences is a lower bound. */
static uint32_t behind_other(const struct roof_dataflow* flow, const struct roof_flow_node* node) {
  if (!is_addition(node->latency) || node->wait != ROOF_WAIT_VALUE || node->load) return 0;
  if (node->before == ROOF_FLOW_NOBODY) return 0;
  const unsigned before = flow->node[node->before].latency;
  return roof_is_on_vectors(before) && !is_addition(before) ? flow->latencies.add_behind_other : 0;
}

/* From one atomic to the next: what its load leaves of that, and its operation at least. */
static uint32_t rest_of_atomic(const struct roof_flow_node* node, uint32_t whole) {
  const uint32_t rest = whole > node->load ? whole - node->load : 0;
  return rest > node->operation ? rest : node->operation;
}

static uint32_t take_unit(struct roof_dataflow* flow, unsigned latency, uint32_t from) {
  const uint32_t which = flow->latencies.units[latency], busy = flow->latencies.busy[latency];
  return which ? roof_flow_take_unit(&flow->units, which, busy ? busy : 1, from) : from;
}

/* What of load, operands and entry comes last is what the instruction waits for. */
static void execute(struct roof_dataflow* flow, struct roof_flow_node* node,
                    const struct roof_flow_step* step) {
  const struct roof_operands* operands = step->operands;
  const struct roof_moment data = ready(flow, operands, ROOF_FOR_DATA);
  node->is_atomic = (operands->flags & ROOF_LOCKED) && flow->latencies.atomic;
  const struct roof_moment kept = ready(flow, operands, ROOF_FOR_MERGE);
  const struct roof_loaded loaded = load_all(flow, node, step);
  const uint32_t merge = flow->latencies.merge;
  uint32_t start = node->issue;
  node->port = node->load = node->page = 0;
  node->load_cause = 0;
  node->wait = ROOF_WAIT_ISSUE;
  node->before = ROOF_FLOW_NOBODY;
  node->operation = flow->latencies.operation[operands->latency];
  node->latency = (uint8_t)operands->latency;
  if (data.at > start) {
    start = data.at;
    node->before = data.by;
    node->wait = ROOF_WAIT_VALUE;
  }
  if (loaded.at > start) {
    start = loaded.at;
    node->port = loaded.port;
    node->load = loaded.cycles;
    node->page = loaded.page;
    node->load_cause = loaded.cause;
    node->before = loaded.before;
    node->wait = loaded.before == ROOF_FLOW_NOBODY ? ROOF_WAIT_ISSUE : loaded.wait;
  }
  node->operation += behind_other(flow, node);
  if (node->is_atomic) node->operation = rest_of_atomic(node, flow->latencies.atomic);
  node->unit = take_unit(flow, operands->latency, start) - start;
  node->done = start + node->unit + node->operation;
  if (kept.by != ROOF_FLOW_NOBODY && kept.at + merge > node->done) {
    node->done = kept.at + merge;
    node->operation = merge;
    node->port = node->load = node->page = node->unit = 0;
    node->before = kept.by;
    node->wait = ROOF_WAIT_VALUE;
  }
}

/* rsp after push and pop, which no one computes: it is there as soon as it was before. */
static struct roof_moment stack_pointer(struct roof_dataflow* flow,
                                        const struct roof_operands* operands) {
  for (unsigned i = 0; i < operands->reads; ++i)
    if (operands->read[i] == ROOF_R_RSP) return flow->value[ROOF_R_RSP];
  return ready(flow, operands, ROOF_FOR_ADDRESS); /* leave takes it from rbp */
}

static void write_results(struct roof_dataflow* flow, const struct roof_flow_node* node,
                          const struct roof_operands* operands) {
  const struct roof_moment done = {node->done, flow->count};
  if (operands->flags & ROOF_SWAPS) {
    struct roof_moment* first = register_of(flow, operands->write[0]);
    struct roof_moment* second = register_of(flow, operands->write[1]);
    const struct roof_moment kept = *first;
    *first = *second;
    *second = kept;
    return;
  }
  const struct roof_moment stack = stack_pointer(flow, operands);
  for (unsigned i = 0; i < operands->writes; ++i) {
    const int moved = operands->flags & ROOF_MOVES_STACK && operands->write[i] == ROOF_R_RSP;
    *register_of(flow, operands->write[i]) = moved ? stack : done;
  }
  flow->x87_top = (uint32_t)(((int)flow->x87_top + operands->x87_pops) & 7);
}

void roof_dataflow_step(struct roof_dataflow* flow, const struct roof_flow_step* step) {
  if (flow->count == flow->capacity) return;
  struct roof_flow_node* node = &flow->node[flow->count];
  node->place = step->place;
  enter(flow, node);
  execute(flow, node, step);
  node->left.at = store_all(flow, node, step);
  node->left.by = flow->count;
  write_results(flow, node, step->operands);
  if (flow->count && node[-1].left.at > node->left.at) node->left = node[-1].left;
  if (step->mispredicted && flow->latencies.mispredicted) {
    flow->redirect.at = node->done + flow->latencies.mispredicted;
    flow->redirect.by = flow->count;
  }
  ++flow->count;
}
