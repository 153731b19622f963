// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <roofmark/roofmark.hpp>
#include <stdexcept>
#include <thread>

namespace {

int Early(int i) {
  ROOF_REGION_SCOPE("early");
  if (i % 2 == 0) return i;
  ROOF_REGION_SCOPE("late");
  return -i;
}

void Throws() {
  ROOF_REGION_SCOPE("throws");
  ROOF_REGION_SCOPE("inside");
  throw std::runtime_error("on purpose");
}

}  // namespace

int main() {
  for (int i = 0; i < 10; ++i) Early(i);
  for (int i = 0; i < 3; ++i) {
    try {
      Throws();
    } catch (const std::runtime_error&) {
    }
  }
  {
    ROOF_REGION_SCOPE("team");
    std::thread first([] { ROOF_REGION_SCOPE("work"); });
    std::thread second([] { ROOF_REGION_SCOPE("work"); });
    first.join();
    second.join();
  }
  std::puts("done");
}
