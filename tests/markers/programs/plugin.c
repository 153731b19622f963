/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library with markers of its own, opened and closed by closes_plugin. */
#include <roofmark/roofmark.h>

void Work(void) {
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("plugin");
    ROOF_REGION_END("plugin");
  }
}
