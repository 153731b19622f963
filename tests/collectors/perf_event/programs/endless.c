/* SPDX-License-Identifier: BSD-3-Clause
 *
 * endless RECORD [FAULT]: a marked OpenMP program that retires known counts on the virtual PMU
 * until it is killed. The file RECORD counts the visits of "outer" that have ended. FAULT is a rule
 * for calls that fail. */
#include <fcntl.h>
#include <omp.h>
#include <roofmark/roofmark.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "virtual_pmu.h"

enum { kScalarDouble = 0x1c7, k256Double = 0x10c7, kInstructions = 0xc0 };

static void Team(void) {
#pragma omp parallel
  {
    vpmu_retire(0, k256Double, 100 * ((uint64_t)omp_get_thread_num() + 1));
    ROOF_REGION_BEGIN("own");
    vpmu_retire(0, kInstructions, 10);
    ROOF_REGION_END("own");
  }
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int fd = open(argv[1], O_RDWR);
  _Atomic uint64_t* record = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (record == MAP_FAILED) return 2;
  close(fd);
  if (argc > 2 && vpmu_fault(argv[2]) != 0) return 2;
  omp_set_num_threads(2);
  for (;;) {
    ROOF_REGION_BEGIN("outer");
    vpmu_retire(0, kScalarDouble, 5);
    for (int k = 0; k < 3; ++k) {
      ROOF_REGION_BEGIN("team");
      Team();
      ROOF_REGION_END("team");
    }
    vpmu_retire(0, kScalarDouble, 2);
    ROOF_REGION_END("outer");
    vpmu_retire(0, kScalarDouble, 1000000);
    record[0]++;
  }
}
