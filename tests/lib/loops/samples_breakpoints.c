// SPDX-License-Identifier: BSD-3-Clause
//
// BEGIN_TRACE and END_TRACE for Fortran.
#include "tests/lib/loops/samples.h"

void begin_trace(void) { BEGIN_TRACE(); }
void end_trace(void) { END_TRACE(); }
