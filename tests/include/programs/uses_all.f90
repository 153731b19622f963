! SPDX-License-Identifier: BSD-3-Clause
!
! Every procedure of the module. Ends with 0 if recording is off.
program uses_all
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t, c_float, c_double
  use roofmark
  implicit none

  call roofmark_begin("region")
  call roofmark_work(1_c_int32_t, 2_c_int32_t)
  call roofmark_work(1_c_int64_t, 2_c_int64_t)
  call roofmark_work(1.0_c_float, 2.0_c_float)
  call roofmark_work(1.0_c_double, 2.0_c_double)
  call roofmark_operations("updates", 1_c_int32_t)
  call roofmark_operations("updates", 1_c_int64_t)
  call roofmark_operations("updates", 1.0_c_float)
  call roofmark_operations("updates", 1.0_c_double)
  call roofmark_end("region")
  call roofmark_pause()
  call roofmark_resume()
  if (roofmark_reduce(0_c_int) /= 1) stop 1
  if (roofmark_active() /= 0) stop 2
end program uses_all
