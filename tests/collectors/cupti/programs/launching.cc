// SPDX-License-Identifier: BSD-3-Clause
//
// A marked program that launches kernels on the stand-in's devices: 3 visits of "outer", each with
// one of "inner".
#include <roofmark/roofmark.h>

#include <cstdio>

#include "tests/collectors/cupti/stand_in.h"

int main() {
  constexpr char kAdd[] = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum";
  const auto context = stand_in::CreateContext(0);
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("outer");
    stand_in::Launch(context, kAdd, 10);
    ROOF_REGION_BEGIN("inner");
    stand_in::Launch(context, kAdd, 4);
    ROOF_REGION_END("inner");
    ROOF_REGION_END("outer");
  }
  std::puts("done");
}
