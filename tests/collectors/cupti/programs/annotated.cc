// SPDX-License-Identifier: BSD-3-Clause
//
// launching.cc with NVTX's ranges in place of roofmark's markers: nothing of roofmark is in it.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

#include "tests/collectors/cupti/stand_in.h"

int main() {
  const auto context = stand_in::CreateContext(0);
  for (int i = 0; i < 3; ++i) {
    nvtxRangePushA("outer");
    stand_in::Launch(context, stand_in::kAdd, 10);
    nvtxRangePushA("inner");
    stand_in::Launch(context, stand_in::kAdd, 4);
    stand_in::Launch(context, stand_in::kRead, 100);
    stand_in::Copy(context, roofmark::cupti::kCopyHostToDevice, 4096);
    nvtxRangePop();
    nvtxRangePop();
  }
  std::puts("done");
}
