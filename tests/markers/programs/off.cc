// SPDX-License-Identifier: BSD-3-Clause
//
// Where recording is off: after this process may make no system call and read no counter of the
// CPU, each function of the library is called for the first time. Status 0: none did either. With
// an argument one system call is made, and the kernel ends the process.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <roofmark/roofmark.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <roofmark/roofmark.hpp>

extern "C" {
struct Characters {
  const char* base_address;
  size_t element_length;
};
uint32_t roofmark_adapters(void);
void roofmark_fortran_begin(const Characters* name);
void roofmark_fortran_end(const Characters* name);
void roofmark_fortran_operations_i4(const Characters* kind, int32_t count);
void roofmark_fortran_operations_i8(const Characters* kind, int64_t count);
void roofmark_fortran_operations_r4(const Characters* kind, float count);
void roofmark_fortran_operations_r8(const Characters* kind, double count);
void roofmark_fortran_work_i4(int32_t flops, int32_t bytes);
void roofmark_fortran_work_i8(int64_t flops, int64_t bytes);
void roofmark_fortran_work_r4(float flops, float bytes);
void roofmark_fortran_work_r8(double flops, double bytes);
uint32_t roofmark_layer(uint32_t layer);
void roofmark_mpi_time(uint64_t ticks, const void* frame, const void* caller);
void roofmark_openmp_time(uint64_t parallel, uint64_t team, uint64_t busy, uint64_t busiest);
uint32_t roofmark_region(const char* name, size_t length);
void roofmark_region_begin(uint32_t region);
void roofmark_region_begin_in_parallel(uint32_t region);
void roofmark_region_end(uint32_t region);
uint32_t roofmark_region_enter(const char* name, size_t length);
}

namespace {

bool MayOnlyEnd() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const sock_fprog program = {sizeof rules / sizeof rules[0], rules};
#if defined(__x86_64__)
  if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) return false;
#endif
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void Macros() {
  ROOF_REGION_END("without a begin");
  ROOF_REGION_BEGIN("region");
  ROOF_REGION_WORK(1, 1);
  ROOF_REGION_OPERATIONS("updates", 1);
  ROOF_REGION_END("region");
  ROOF_FUNCTION;
  ROOF_REGION_SCOPE("scope");
}

void Functions() {
  const Characters name = {"fortran", 7};
  roofmark_end("without a begin");
  roofmark_begin("named");
  roofmark_work(1, 1);
  roofmark_operations("updates", 1);
  roofmark_pause();
  roofmark_resume();
  roofmark_end("named");
  roofmark_fortran_end(&name);
  roofmark_fortran_begin(&name);
  roofmark_fortran_operations_i4(&name, 1);
  roofmark_fortran_operations_i8(&name, 1);
  roofmark_fortran_operations_r4(&name, 1);
  roofmark_fortran_operations_r8(&name, 1);
  roofmark_fortran_work_i4(1, 1);
  roofmark_fortran_work_i8(1, 1);
  roofmark_fortran_work_r4(1, 1);
  roofmark_fortran_work_r8(1, 1);
  roofmark_version();
}

void Adapters() {
  roofmark_adapters();
  roofmark_region_end(roofmark_region("region", 6));
  roofmark_region_begin(1);
  roofmark_region_begin_in_parallel(1);
  roofmark_region_end(roofmark_region_enter("region", 6));
  roofmark_layer(0);
  roofmark_mpi_time(0, nullptr, nullptr);
  roofmark_mpi_time(1, nullptr, nullptr);
  roofmark_openmp_time(0, 0, 0, 0);
  roofmark_openmp_time(1, 1, 1, 1);
}

}  // namespace

int main(int argc, char**) {
  if (!MayOnlyEnd()) return 77;
  Macros();
  Functions();
  Adapters();
  if (argc > 1) getppid();
  syscall(SYS_exit_group, roofmark_active());
}
