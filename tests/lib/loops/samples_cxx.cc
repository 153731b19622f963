// SPDX-License-Identifier: BSD-3-Clause
//
// Loops in C++ that samples_test.cc looks for; see samples_c.c.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tests/lib/loops/samples.h"

namespace {

template <typename T>
__attribute__((noinline)) void kernel_template(T* values, int count) {
  for (int i = 1; i < count; ++i) { /* loop template twice */
    values[i] = values[i - 1] / 2 + values[i];
  }
}

__attribute__((noinline)) double kernel_range_for(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) { /* loop range_for */
    sum += value;
  }
  return sum;
}

class Grid {
 public:
  explicit Grid(int side)
      : side_(side), values_(static_cast<size_t>(side) * static_cast<size_t>(side), 1.0) {}
  double& At(int row, int column) {
    return values_[static_cast<size_t>(row) * static_cast<size_t>(side_) +
                   static_cast<size_t>(column)];
  }
  int side() const { return side_; }

 private:
  int side_;
  std::vector<double> values_;
};

__attribute__((noinline)) void kernel_members(Grid& grid) {
  for (int row = 1; row < grid.side(); ++row) {            /* loop members_rows */
    for (int column = 0; column < grid.side(); ++column) { /* loop members_columns */
      grid.At(row, column) += grid.At(row - 1, column) / 4;
    }
  }
}

__attribute__((noinline)) void kernel_lambda(std::vector<double>& values) {
  const auto scale = [](double value) { return value > 3 ? value / 3 : value * 3; };
  for (size_t i = 0; i < values.size(); ++i) { /* loop lambda */
    values[i] = scale(values[i]);
  }
}

__attribute__((noinline)) void kernel_iterators(std::vector<double>& values) {
  for (auto it = values.begin(); it != values.end(); ++it) { /* loop iterators */
    *it = *it * 2 + 1;
  }
}

__attribute__((noinline)) double kernel_algorithm(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0); /* loop algorithm in accumulate */
}

__attribute__((noinline)) double kernel_while(const std::vector<double>& values) {
  size_t i = 0;
  double sum = 0;
  while (i < values.size()) { /* loop while */
    sum = values[i] - sum / 3;
    i += 2;
  }
  return sum;
}

}  // namespace

int main() {
  const int count = Unknown(TRACED(41, 205));
  std::vector<double> values(static_cast<size_t>(count), 2.0);
  std::vector<float> floats(static_cast<size_t>(count), 2.0F);
  Grid grid(Unknown(TRACED(13, 67)));
  double sum = 0;
  BEGIN_TRACE();
  kernel_template(values.data(), static_cast<int>(values.size()));
  kernel_template(floats.data(), static_cast<int>(floats.size()));
  sum += kernel_range_for(values);
  kernel_members(grid);
  kernel_lambda(values);
  kernel_iterators(values);
  sum += kernel_algorithm(values);
  sum += kernel_while(values);
  END_TRACE();
  return sum + floats[3] + grid.At(1, 1) == 0 ? 1 : 0;
}
