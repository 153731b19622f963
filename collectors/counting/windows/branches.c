/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/branches.h"

#include <stddef.h>

int roof_window_branches_start(struct roof_window_branches* branches,
                               const struct roof_memory* memory) {
  branches->predictor = roof_predictor_create(memory);
  return branches->predictor != NULL;
}

static void release(struct roof_window_branches* branches, struct roof_dataflow* flow,
                    int mispredicted) {
  const struct roof_code_instruction* held = branches->held;
  const struct roof_flow_step step = {&held->operands, held->place, branches->access,
                                      branches->accesses, mispredicted};
  branches->held = NULL;
  roof_dataflow_step(flow, &step);
}

static int learn_way(struct roof_window_branches* branches, int mispredicted) {
  ++branches->known;
  branches->mispredicted += (uint64_t)mispredicted;
  return mispredicted;
}

static uint64_t end_of(const struct roof_code_instruction* instruction) {
  return instruction->place + instruction->length;
}

/* It went neither way where a handler of a signal came in between, or the thread was in code that
 * is not followed. */
static int branch_to(struct roof_window_branches* branches, uint64_t place) {
  const struct roof_code_instruction* held = branches->held;
  const uint64_t behind = end_of(held), target = behind + (uint64_t)(int64_t)held->distance;
  if (place != behind && place != target) return 0;
  return learn_way(branches,
                   roof_predictor_branch(branches->predictor, held->place, place != behind));
}

/* A call that is followed by what is behind it called code that is not followed. */
static int jump_to(struct roof_window_branches* branches, uint64_t place) {
  const struct roof_code_instruction* held = branches->held;
  const int calls = held->operands.flags & ROOF_MOVES_STACK;
  if (calls && place == end_of(held)) return 0;
  return learn_way(branches, roof_predictor_jump(branches->predictor, held->place, place));
}

/* `next`: nothing else came in between, so that also a jump led there. */
static void release_at(struct roof_window_branches* branches, struct roof_dataflow* flow,
                       uint64_t place, int next) {
  if (branches->held->operands.flags & ROOF_BRANCHES) {
    release(branches, flow, branch_to(branches, place));
  } else {
    release(branches, flow, next ? jump_to(branches, place) : 0);
  }
}

void roof_window_branches_settle(struct roof_window_branches* branches,
                                 struct roof_dataflow* flow) {
  if (branches->held) release(branches, flow, 0);
}

void roof_window_branches_go_on(struct roof_window_branches* branches, struct roof_dataflow* flow,
                                uint32_t slot, uint64_t place) {
  if (branches->held && branches->slot == slot) release_at(branches, flow, place, 0);
}

void roof_window_branches_step(struct roof_window_branches* branches, struct roof_dataflow* flow,
                               uint32_t slot, const struct roof_code_instruction* instruction,
                               const struct roof_flow_step* step) {
  const int leads = instruction->operands.flags & (ROOF_BRANCHES | ROOF_INDIRECT);
  if (branches->held) release_at(branches, flow, step->place, 1);
  if (!leads || step->accesses > ROOF_BRANCH_ACCESSES) {
    roof_dataflow_step(flow, step);
    return;
  }
  branches->held = instruction;
  branches->slot = slot;
  branches->accesses = step->accesses;
  for (uint32_t i = 0; i < step->accesses; ++i) branches->access[i] = step->access[i];
}
