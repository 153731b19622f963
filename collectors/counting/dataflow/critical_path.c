/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The critical path, walked back from the last instruction: each waits for one thing, and that for
 * another. */
#include "collectors/counting/dataflow/dataflow.h"
#include "collectors/counting/dataflow/state.h"
#include "collectors/counting/hash.h"

struct walk {
  struct roof_dataflow* flow;
  struct roof_flow_result* result;
  uint32_t begin; /* the path ends there */
  uint32_t at;    /* and has come so far */
  /* Down to this time, what is no atomic and no load from beyond L1 was spent to know where a
     mispredicted branch goes. */
  uint32_t branch_entered;
  uint64_t branch;
};

static int is_far(unsigned cause) {
  return (cause > ROOF_FLOW_LOAD && cause < ROOF_FLOW_LOAD + ROOF_FLOW_LEVELS) ||
         cause == ROOF_FLOW_IN_FLIGHT || cause == ROOF_FLOW_WINDOW || cause == ROOF_FLOW_TLB;
}

/* What a branch waits for and is not due to it. */
static int stays(unsigned cause) { return is_far(cause) || cause == ROOF_FLOW_ATOMIC; }

static void add_place(struct walk* walk, uint64_t place, uint32_t cycles) {
  const uint32_t first = (uint32_t)roof_hash(place, 8);
  for (uint32_t i = 0; i < 8; ++i) { /* the few places of a path find room nearby */
    struct roof_flow_place* entry = &walk->flow->place[(first + i) % ROOF_FLOW_PLACES];
    if (entry->cycles && entry->place != place) continue;
    entry->place = place;
    entry->cycles += cycles;
    return;
  }
}

/* Back to a time, which may lie before the begin. */
static void spend(struct walk* walk, uint32_t to, unsigned cause, uint64_t place) {
  if (to < walk->begin) to = walk->begin;
  if (to >= walk->at) return;
  walk->result->cause[cause] += walk->at - to;
  if (cause != ROOF_FLOW_ISSUE) add_place(walk, place, walk->at - to);
  walk->at = to;
}

static void go_back(struct walk* walk, uint32_t to, unsigned cause, uint64_t place) {
  if (!stays(cause))
    spend(walk, to > walk->branch_entered ? to : walk->branch_entered, ROOF_FLOW_BRANCH,
          walk->branch);
  spend(walk, to, cause, place);
}

/* From an instruction that waited to enter to the one that did not let it. */
static uint32_t go_to_entry(struct walk* walk, uint32_t i, unsigned* loads_are) {
  const struct roof_flow_node* node = walk->flow->node;
  while (walk->at > walk->begin) {
    if (node[i].waited_for_window) {
      *loads_are = ROOF_FLOW_WINDOW;
      return node[i - walk->flow->latencies.window].left.by;
    }
    if (i == 0) break;
    --i;
    if (node[i + 1].redirected) {
      walk->branch_entered = node[i].issue;
      walk->branch = node[i].place;
      go_back(walk, node[i].done, ROOF_FLOW_BRANCH, node[i].place);
      *loads_are = ROOF_FLOW_LOAD;
      return i;
    }
    go_back(walk, node[i].issue, ROOF_FLOW_ISSUE, 0);
  }
  return ROOF_FLOW_NOBODY;
}

static uint32_t begin_of(const struct roof_flow_node* node) { return node->done - node->operation; }

/* Whose operation ended when that of `i`, which waited for a unit, could begin: one before it in
 * the program. Nobody, if it is not nearby. */
static uint32_t taker_before(const struct roof_dataflow* flow, uint32_t i) {
  enum { kNearby = 128 };
  const struct roof_flow_node* node = flow->node;
  const struct roof_latencies* core = &flow->latencies;
  const uint32_t units = core->units[node[i].latency];
  for (uint32_t k = i; k > 0 && i - k < kNearby;) {
    const unsigned latency = node[--k].latency;
    const uint32_t busy = core->busy[latency] ? core->busy[latency] : 1;
    if (core->units[latency] & units && begin_of(&node[k]) + busy == begin_of(&node[i])) return k;
  }
  return ROOF_FLOW_NOBODY;
}

static unsigned cause_of_operation(const struct roof_flow_node* node) {
  if (node->is_atomic) return ROOF_FLOW_ATOMIC;
  return roof_is_on_vectors(node->latency) ? ROOF_FLOW_FP : ROOF_FLOW_INTEGER;
}

/* `held_up`: what loads are that nobody waits for the value of, or ROOF_FLOW_LOAD. */
static unsigned cause_of_load(const struct roof_flow_node* node, unsigned held_up) {
  if (!is_far(node->load_cause)) return node->is_atomic ? ROOF_FLOW_ATOMIC : node->load_cause;
  return held_up == ROOF_FLOW_LOAD ? node->load_cause : held_up;
}

/* Strictly from later instructions to earlier ones, so that it ends. */
static void walk_back(struct walk* walk, uint32_t i) {
  unsigned loads_are = ROOF_FLOW_LOAD; /* or what held them up, where nobody waits for the value */
  while (i != ROOF_FLOW_NOBODY && walk->at > walk->begin) {
    const struct roof_flow_node* node = &walk->flow->node[i];
    const uint32_t begun = begin_of(node);
    const uint32_t loaded = begun - node->unit;
    go_back(walk, node->done, ROOF_FLOW_UNITS, node->place); /* stores on their way out */
    go_back(walk, begun, cause_of_operation(node), node->place);
    const uint32_t taker = node->unit ? taker_before(walk->flow, i) : ROOF_FLOW_NOBODY;
    if (taker != ROOF_FLOW_NOBODY) {
      go_back(walk, begin_of(&walk->flow->node[taker]), ROOF_FLOW_UNITS, node->place);
      i = taker;
      continue;
    }
    go_back(walk, loaded, ROOF_FLOW_UNITS, node->place);
    go_back(walk, loaded - node->page, ROOF_FLOW_TLB, node->place);
    go_back(walk, loaded - node->load, cause_of_load(node, loads_are), node->place);
    go_back(walk, loaded - node->load - node->port, ROOF_FLOW_UNITS, node->place);
    if (node->wait == ROOF_WAIT_ISSUE) {
      i = go_to_entry(walk, i, &loads_are);
      continue;
    }
    loads_are = node->wait == ROOF_WAIT_MISS ? ROOF_FLOW_IN_FLIGHT : ROOF_FLOW_LOAD;
    i = node->before < i ? node->before : ROOF_FLOW_NOBODY;
  }
}

static void choose_places(const struct roof_dataflow* flow, struct roof_flow_result* result) {
  for (uint32_t i = 0; i < ROOF_FLOW_PLACES; ++i) {
    struct roof_flow_place next = flow->place[i];
    for (uint32_t t = 0; t < ROOF_FLOW_TOP_PLACES; ++t) {
      const struct roof_flow_place less = result->top[t];
      if (next.cycles <= less.cycles) continue;
      result->top[t] = next;
      next = less;
    }
  }
}

void roof_dataflow_end(struct roof_dataflow* flow, struct roof_flow_result* result) {
  static const struct roof_flow_result kNothing;
  *result = kNothing;
  if (flow->count <= flow->measured_from) return;
  const struct roof_moment end = flow->node[flow->count - 1].left;
  const uint32_t begin = flow->measured_from ? flow->node[flow->measured_from - 1].left.at : 0;
  struct walk walk = {flow, result, begin, end.at, UINT32_MAX, 0};
  for (uint32_t i = 0; i < ROOF_FLOW_PLACES; ++i) flow->place[i].cycles = 0;
  result->instructions = flow->count - flow->measured_from;
  result->cycles = end.at - begin;
  walk_back(&walk, end.by);
  go_back(&walk, begin, ROOF_FLOW_ISSUE, 0); /* of values older than the window */
  choose_places(flow, result);
}
