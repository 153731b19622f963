/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/layers.h"

enum { kFirstCapacity = 16 };

struct roof_layer_call roof_layers_top(const struct roof_layers* layers) {
  static const struct roof_layer_call program = {ROOF_UNTIL_LEFT, ROOF_PROGRAM, ROOF_LAYER_WORK};
  return layers->depth ? layers->call[layers->depth - 1] : program;
}

static int push(struct roof_layers* layers, const struct roof_memory* memory,
                struct roof_layer_call call) {
  if (layers->depth == layers->capacity) {
    const uint32_t capacity = layers->capacity ? 2 * layers->capacity : kFirstCapacity;
    struct roof_layer_call* more = roof_memory_allocate(memory, capacity * sizeof *more);
    if (!more) return 0;
    for (uint32_t i = 0; i < layers->depth; ++i) more[i] = layers->call[i];
    roof_memory_release(memory, layers->call, layers->capacity * sizeof *more);
    layers->call = more;
    layers->capacity = capacity;
  }
  layers->call[layers->depth++] = call;
  return 1;
}

static uint32_t layer_of(uint32_t owner) {
  if (owner == ROOF_MPI) return ROOF_LAYER_MPI;
  if (owner == ROOF_RUNTIME) return ROOF_LAYER_RUNTIME;
  return owner == ROOF_OWN ? ROOF_LAYER_OWN : ROOF_LAYER_WORK;
}

static uint32_t owner_of(uint32_t layer) {
  if (layer == ROOF_LAYER_MPI) return ROOF_MPI;
  if (layer == ROOF_LAYER_RUNTIME) return ROOF_RUNTIME;
  return layer == ROOF_LAYER_OWN ? ROOF_OWN : ROOF_PROGRAM;
}

int roof_layers_enter(struct roof_layers* layers, const struct roof_memory* memory,
                      uint32_t layer) {
  const struct roof_layer_call call = {ROOF_UNTIL_LEFT, owner_of(layer), layer};
  return push(layers, memory, call);
}

/* Calls inside it that were not seen to end go with it. */
void roof_layers_leave(struct roof_layers* layers) {
  uint32_t depth = layers->depth;
  while (depth > 0 && layers->call[depth - 1].stack_pointer != ROOF_UNTIL_LEFT) --depth;
  if (depth > 0) layers->depth = depth - 1;
}

void roof_layers_return(struct roof_layers* layers, uint64_t stack_pointer) {
  while (roof_layers_top(layers).stack_pointer < stack_pointer) --layers->depth;
}

int roof_layers_reach(struct roof_layers* layers, const struct roof_memory* memory, uint32_t owner,
                      uint64_t stack_pointer) {
  const struct roof_layer_call call = {stack_pointer, owner, layer_of(owner)};
  roof_layers_return(layers, stack_pointer);
  return roof_layers_top(layers).owner == owner || push(layers, memory, call);
}

int roof_layers_are_in(const struct roof_layers* layers, uint32_t layer) {
  for (uint32_t i = 0; i < layers->depth; ++i)
    if (layers->call[i].layer == layer) return 1;
  return 0;
}

int roof_layers_call_back(struct roof_layers* layers, const struct roof_memory* memory,
                          uint64_t stack_pointer) {
  roof_layers_return(layers, stack_pointer);
  const uint32_t caller = roof_layers_top(layers).owner;
  if (caller != ROOF_RUNTIME && caller != ROOF_OWN) return 1;
  const struct roof_layer_call call = {
      stack_pointer, ROOF_PROGRAM,
      roof_layers_are_in(layers, ROOF_LAYER_MPI) ? ROOF_LAYER_MPI : ROOF_LAYER_WORK};
  return push(layers, memory, call);
}

void roof_layers_forget(struct roof_layers* layers) { layers->depth = 0; }
