/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose code lies at an address: the file that is mapped there says it, and in an executable that
 * brings no such library along, the function. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OWNER_AT_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OWNER_AT_H_

#include "collectors/counting/valgrind/tool/modules.h"
#include "pub_tool_basics.h"

typedef struct {
  UInt owner;   /* enum roof_owner */
  Bool returns; /* its returns may end a call of MPI, a runtime or roofmark */
  Addr begin;   /* of the code that has the same owner around the address, where it is known */
  SizeT size;
  Module module; /* only where modules are wanted */
} Place;

/* Places have their modules from here on. */
void owner_at_wants_modules(void);

/* Cost: a search among the mapped files, and in an executable one among its functions. */
Place owner_at(Addr address);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OWNER_AT_H_ */
