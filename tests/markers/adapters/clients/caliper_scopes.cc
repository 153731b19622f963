// SPDX-License-Identifier: BSD-3-Clause
//
// A program with the objects that Caliper's macros for C++ make.
#include <cstdio>

#include "tests/markers/adapters/abi/caliper.h"

namespace {

// Objects of which Caliper's are a part are made by other functions than those of their own.
struct NamedFunction : cali::Function {
  NamedFunction() : cali::Function("Inherited") {}
};
struct NamedScope : cali::ScopeAnnotation {
  NamedScope() : cali::ScopeAnnotation("scope") {}
};
struct NamedLoop : cali::Loop {
  NamedLoop() : cali::Loop("loop") {}
};

void Inherit() {
  const NamedFunction function;
  { const NamedScope scope; }
  const NamedLoop loop;
}

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
  Inherit();
  std::puts("done");
}
