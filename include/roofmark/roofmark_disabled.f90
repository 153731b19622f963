! SPDX-License-Identifier: BSD-3-Clause
!
! The module of roofmark.f90 with the same interface and no effect: for builds without roofmark, as
! -DROOFMARK_DISABLE is in C and C++. Compile this file with the program, in place of roofmark.mod:
!
!     gfortran <prefix>/include/roofmark/roofmark_disabled.f90 program.f90
module roofmark
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int32_t, c_int64_t
  implicit none
  private
  public :: roofmark_begin, roofmark_end, roofmark_work, roofmark_operations, &
      roofmark_pause, roofmark_resume, roofmark_active, roofmark_reduce

  interface roofmark_work
    module procedure roofmark_work_i4, roofmark_work_i8, roofmark_work_r4, roofmark_work_r8
  end interface
  interface roofmark_operations
    module procedure roofmark_operations_i4, roofmark_operations_i8, roofmark_operations_r4, &
        roofmark_operations_r8
  end interface

contains

  subroutine roofmark_begin(name)
    character(kind=c_char, len=*), intent(in) :: name
  end subroutine

  subroutine roofmark_end(name)
    character(kind=c_char, len=*), intent(in) :: name
  end subroutine

  ! 1: this process does not record, as mpi.h says.
  function roofmark_reduce(comm) result(error)
    integer(c_int), value :: comm
    integer(c_int) :: error
    error = 1
  end function

  subroutine roofmark_pause()
  end subroutine

  subroutine roofmark_resume()
  end subroutine

  function roofmark_active() result(active)
    integer(c_int) :: active
    active = 0
  end function

  subroutine roofmark_work_i4(flops, bytes)
    integer(c_int32_t), value :: flops, bytes
  end subroutine

  subroutine roofmark_work_i8(flops, bytes)
    integer(c_int64_t), value :: flops, bytes
  end subroutine

  subroutine roofmark_work_r4(flops, bytes)
    real(c_float), value :: flops, bytes
  end subroutine

  subroutine roofmark_work_r8(flops, bytes)
    real(c_double), value :: flops, bytes
  end subroutine

  subroutine roofmark_operations_i4(kind, count)
    character(kind=c_char, len=*), intent(in) :: kind
    integer(c_int32_t), value :: count
  end subroutine

  subroutine roofmark_operations_i8(kind, count)
    character(kind=c_char, len=*), intent(in) :: kind
    integer(c_int64_t), value :: count
  end subroutine

  subroutine roofmark_operations_r4(kind, count)
    character(kind=c_char, len=*), intent(in) :: kind
    real(c_float), value :: count
  end subroutine

  subroutine roofmark_operations_r8(kind, count)
    character(kind=c_char, len=*), intent(in) :: kind
    real(c_double), value :: count
  end subroutine
end module roofmark
