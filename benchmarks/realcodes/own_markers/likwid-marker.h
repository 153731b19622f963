/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In the place of LIKWID's header: its annotations become markers of roofmark, so that those of the
 * adapter can be compared with them. */
#ifndef LIKWID_MARKER_H
#define LIKWID_MARKER_H

#include <roofmark/roofmark.h>

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name) roofmark_begin(name)
#define LIKWID_MARKER_STOP(name) roofmark_end(name)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_RESET(name)

#endif /* LIKWID_MARKER_H */
