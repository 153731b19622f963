/* SPDX-License-Identifier: BSD-3-Clause */
#define ROOF_ISA(name) name##_base
#include "collectors/counting/cache/first_level_loop.h"
#include "collectors/counting/cache/level_loop.h"
#include "collectors/counting/cache/loops.h"

const struct roof_loops roof_loops_base = {drain_level_base, run_first_base};
