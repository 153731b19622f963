// SPDX-License-Identifier: BSD-3-Clause
//
// samples.h for Fortran.
#include "tests/lib/loops/samples.h"

void begin_trace(void) { BEGIN_TRACE(); }
void end_trace(void) { END_TRACE(); }
int size_of_trace(void) { return Unknown(TRACED(29, 101)); }
