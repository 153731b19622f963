! SPDX-License-Identifier: BSD-3-Clause
program marked_fortran
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use omp_lib
  use roofmark
  implicit none
  integer :: i
  character(len=20) :: name

  do i = 1, 5
    call roofmark_begin("outer")
    call roofmark_begin("inner")
    call roofmark_work(2, 20)
    call roofmark_work(4_c_int64_t, 40_c_int64_t)
    call roofmark_work(5.0, 50.0)
    call roofmark_work(1d0, -1d0)
    call roofmark_operations("updates", 1)
    call roofmark_operations("updates", 2_c_int64_t)
    call roofmark_operations("updates", 3.0)
    call roofmark_operations("updates", 4d0)
    call roofmark_end("inner")
    call roofmark_end("outer")
  end do
  do i = 1, 6
    write (name, '(a,i0)') "step ", mod(i, 2)
    call roofmark_begin(name)
    call roofmark_end(name)
  end do
  call roofmark_begin("team")
  !$omp parallel num_threads(2)
  call roofmark_begin("worker")
  call roofmark_end("worker")
  !$omp end parallel
  call roofmark_end("team")
  print '(a)', "done"
end program marked_fortran
