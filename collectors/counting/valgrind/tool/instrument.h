/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_INSTRUMENT_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_INSTRUMENT_H_

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Valgrind's callback: adds counting to one superblock. */
IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                 IRType host_word);

/* Drops all translations: what is counted has changed, and code has no more instrumentation than it
 * needs. */
void instrument_translate_anew(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_INSTRUMENT_H_ */
