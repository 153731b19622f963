/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/collectors/counting/native/inside.h"

#include "collectors/counting/native/translator.h"

uint64_t roof_test_only_base(const struct roof_native* native) {
  return native->modules == 1 ? native->module[0].base : 0;
}
