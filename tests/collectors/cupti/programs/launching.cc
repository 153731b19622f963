// SPDX-License-Identifier: BSD-3-Clause
//
// A marked program that launches kernels on the stand-in's devices: 3 visits of "outer", each with
// one of "inner", which also copies and reads memory. With an argument it uses no device.
#include <roofmark/roofmark.h>

#include <cstdio>

#include "tests/collectors/cupti/stand_in.h"

int main(int argc, char**) {
  const auto context = argc == 1 ? stand_in::CreateContext(0) : nullptr;
  const auto launch = [&](const char* metric, uint64_t count) {
    if (context != nullptr) stand_in::Launch(context, metric, count);
  };
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("outer");
    launch(stand_in::kAdd, 10);
    ROOF_REGION_BEGIN("inner");
    launch(stand_in::kAdd, 4);
    launch(stand_in::kRead, 100);
    launch(stand_in::kOverPcie, 512);
    if (context != nullptr) {
      stand_in::Copy(context, roofmark::cupti::kCopyHostToDevice, 4096);
    }
    ROOF_REGION_END("inner");
    ROOF_REGION_END("outer");
  }
  std::puts("done");
}
