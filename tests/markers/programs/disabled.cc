// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled with ROOFMARK_DISABLE and not linked with the library.
#include <roofmark/roofmark.hpp>

int main() {
  ROOF_REGION_BEGIN("a");
  ROOF_REGION_SCOPE("b");
  ROOF_REGION_WORK(1, 2);
  ROOF_REGION_OPERATIONS("updates", 3);
  ROOF_REGION_END("a");
  return 0;
}
