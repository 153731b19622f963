// SPDX-License-Identifier: BSD-3-Clause
namespace sample {

template <typename T>
__attribute__((noinline)) T Sum(const T* values, int count) {
  T sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

template double Sum<double>(const double*, int);

}  // namespace sample

extern "C" int sample_mixed(const float* values) { return sample::Sum(values, 4) > 1; }
