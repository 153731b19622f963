// SPDX-License-Identifier: BSD-3-Clause
//
// engine_calls calls REPETITIONS: a virtual call for each element, of one of three types in no
// order; prints seconds as engine_kernels does.
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "benchmarks/overhead/counting/engine_timing.h"

namespace {

struct Law {
  virtual ~Law() = default;
  virtual double At(double x) const = 0;
};
struct Linear final : Law {
  double At(double x) const override { return 0.5 * x + 1; }
};
struct Square final : Law {
  double At(double x) const override { return x * x - 1; }
};
struct Inverse final : Law {
  double At(double x) const override { return 1 / (x + 2); }
};

struct Elements {
  std::vector<std::unique_ptr<Law>> laws;
  std::vector<double> x;
};

void CallEach(void* data) {
  auto& elements = *static_cast<Elements*>(data);
  const auto size = static_cast<long>(elements.x.size());
#pragma omp parallel for schedule(static)
  for (long i = 0; i < size; ++i) {
    const auto at = static_cast<size_t>(i);
    elements.x[at] = std::fmin(elements.laws[at]->At(elements.x[at]), 10);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "calls") != 0) return 2;
  Elements elements;
  for (unsigned i = 0, random = 1; i < 1u << 18; ++i) {
    random = random * 1664525 + 1013904223;
    switch (random >> 16 & 3) {
      case 0:
        elements.laws.push_back(std::make_unique<Linear>());
        break;
      case 1:
        elements.laws.push_back(std::make_unique<Square>());
        break;
      default:
        elements.laws.push_back(std::make_unique<Inverse>());
    }
    elements.x.push_back(1 + i % 7);
  }
  return time_repetitions(argv[2], &CallEach, &elements);
}
