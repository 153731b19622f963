/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The executables and libraries whose code is translated, by numbers from 1. A file that is mapped
 * again, wherever, is the same module. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_MODULES_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_MODULES_H_

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"

/* Where a module is mapped: what lies at an address has the offset `address - base` in it. */
typedef struct {
  UInt number; /* 0: code that lies in no file */
  Addr base;   /* the lowest address of the file */
  SizeT size;  /* of what is mapped from there to the end of the code */
} Module;

/* Of code that lies in this part of the file of this name. Cost: some comparisons of names. */
Module module_of(const NSegment* part, const HChar* file);
/* NULL: there is no such module. */
const HChar* module_file(UInt number);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_MODULES_H_ */
