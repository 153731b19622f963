// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that command_test.cc has marked: the comments `loop NAME` say where.
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace sample {

template <typename T>
class Field {
 public:
  explicit Field(size_t size) : values_(size, T{1}) {}

  void Scale(T factor) {
    for (T& value : values_) value *= factor;  // loop scale
  }
  size_t Find(T least) const {
    for (size_t i = 0; i < values_.size(); ++i) {  // loop find
      if (values_[i] > least) return i;
      if (values_[i] < 0) throw std::runtime_error("negative");
    }
    return values_.size();
  }
  T Sum() const {  // function Sum
    T sum{};
    for (const T& value : values_) sum += value;
    return sum;
  }

 private:
  std::vector<T> values_;
};

}  // namespace sample

int main() {
  sample::Field<double> field(100);
  const auto scale_all = [&](int times) {
    for (int i = 0; i < times; ++i) field.Scale(1.5);  // loop lambda
  };
  scale_all(3);
  std::printf("%.3f %zu\n", field.Sum(), field.Find(1));
  return 0;
}
