/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the bits of fused multiply-adds over many operands, special values and cancellations
 * included, for comparison between native and counted runs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 1;

static uint64_t random_bits(void) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DULL;
}

static uint64_t mix(uint64_t hash, uint64_t bits) { return (hash ^ bits) * 0x100000001b3ULL; }

static double special(unsigned i) {
  static const double kValues[] = {0.0,       -0.0,      1.0,
                                   -1.0,      INFINITY,  -INFINITY,
                                   0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
                                   0x1p-537,  0x1p511,   3.0};
  return kValues[i % (sizeof kValues / sizeof *kValues)];
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  if (isnan(value)) return 1; /* which NaN is not compared */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double any_double(void) {
  uint64_t bits = random_bits();
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

int main(void) {
  uint64_t hash = 1, hash32 = 1;
  for (unsigned i = 0; i < 12; ++i)
    for (unsigned j = 0; j < 12; ++j)
      for (unsigned k = 0; k < 12; ++k) {
        hash = mix(hash, bits_of(fma(special(i), special(j), special(k))));
        hash32 = mix(
            hash32, bits_of((double)fmaf((float)special(i), (float)special(j), (float)special(k))));
      }
  for (int i = 0; i < 20000; ++i) {
    volatile double x = any_double(), y = any_double();
    double near = -x * y * (1 + (i % 3) * 0x1p-52);
    hash = mix(hash, bits_of(fma(x, y, any_double())));
    hash = mix(hash, bits_of(fma(x, y, near)));
    hash32 = mix(hash32, bits_of((double)fmaf((float)x, (float)y, (float)near)));
  }
  printf("%llx %llx\n", (unsigned long long)hash, (unsigned long long)hash32);
  return 0;
}
