#include <roofmark/roofmark.h>

int main(void) {
  volatile double sum = 0;
  ROOF_REGION_BEGIN("loop");
  for (int i = 0; i < 1000; ++i) sum += 1.0;
  ROOF_REGION_END("loop");
  return sum == 1000 ? 0 : 1;
}
