#include <roofmark/roofmark.hpp>

int main() {
  volatile double sum = 0;
  ROOF_REGION_SCOPE("loop");
  for (int i = 0; i < 1000; ++i) sum = sum + 1.0;
  return sum == 1000 ? 0 : 1;
}
