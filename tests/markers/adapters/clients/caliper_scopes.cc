// SPDX-License-Identifier: BSD-3-Clause
//
// A program with the objects that Caliper's macros for C++ make.
#include <cstdio>

#include "tests/markers/adapters/abi/caliper.h"

namespace {

void Sweep(bool early) {
  const cali::Function function("Sweep");
  cali::Loop loop("cells");
  if (early) return;
  loop.end();
  const cali::ScopeAnnotation scope("after");
}

}  // namespace

int main() {
  const cali::Function function("main");
  Sweep(false);
  Sweep(true);
  std::puts("done");
}
