/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which layer a thread is in: the calls that it has not returned from, as far as they changed the
 * layer. An engine that tells whose code runs reports where such a call begins; the call has ended
 * when the stack pointer is above the place where it stood then. So returns, exceptions and longjmp
 * are all left in the same way, and a call that was missed puts itself right with the next one.
 *
 * Plain C without libc, for every engine. Stacks grow downwards. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_LAYERS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_LAYERS_H_

#include <stdint.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call that was entered and not left. */
struct roof_layer_call {
  uint64_t stack_pointer; /* at its first instruction, that of the return address; ROOF_UNTIL_LEFT
                             where it was entered by a request */
  uint32_t owner;         /* enum roof_owner of its code */
  uint32_t layer;         /* what is executed in it counts to this layer */
};
#define ROOF_UNTIL_LEFT UINT64_MAX

/* Of one thread. All zero: in work. */
struct roof_layers {
  struct roof_layer_call* call; /* innermost last */
  uint32_t depth, capacity;
};

/* The innermost call; that of the thread itself, which never ends, if there is none. */
struct roof_layer_call roof_layers_top(const struct roof_layers* layers);

/* By request: `layer` lasts until it is left. Leaving what was not entered does nothing. */
int roof_layers_enter(struct roof_layers* layers, const struct roof_memory* memory, uint32_t layer);
void roof_layers_leave(struct roof_layers* layers);

/* Code of this owner, MPI's, a runtime's or roofmark's, is about to be executed. */
int roof_layers_reach(struct roof_layers* layers, const struct roof_memory* memory, uint32_t owner,
                      uint64_t stack_pointer);
/* A runtime or roofmark calls a function of the program: that is work again, or still MPI. */
int roof_layers_call_back(struct roof_layers* layers, const struct roof_memory* memory,
                          uint64_t stack_pointer);
/* Leaves the calls that have ended. */
void roof_layers_return(struct roof_layers* layers, uint64_t stack_pointer);

/* One of the calls counts to this layer. */
int roof_layers_are_in(const struct roof_layers* layers, uint32_t layer);

/* Everything was left. */
void roof_layers_forget(struct roof_layers* layers);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_LAYERS_H_ */
