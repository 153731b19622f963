! SPDX-License-Identifier: BSD-3-Clause
!
! Fortran 2018 interface: interfaces only, no code, so the module needs no object file.
!
!     use roofmark
!     call roofmark_begin("stencil")
!     ...
!     call roofmark_end("stencil")
!
! Names are compared without trailing blanks. Scope, errors, threads and signals: see roofmark.h.
! Codes that must compile and link without roofmark use roofmark_disabled.f90 instead of this file.
module roofmark
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int32_t, c_int64_t
  implicit none
  private
  public :: roofmark_begin, roofmark_end, roofmark_work, roofmark_operations, &
      roofmark_pause, roofmark_resume, roofmark_active, roofmark_reduce

  interface
    subroutine roofmark_begin(name) bind(C, name="roofmark_fortran_begin")
      import :: c_char
      character(kind=c_char, len=*), intent(in) :: name
    end subroutine

    subroutine roofmark_end(name) bind(C, name="roofmark_fortran_end")
      import :: c_char
      character(kind=c_char, len=*), intent(in) :: name
    end subroutine

    ! A merge of your own, see mpi.h: 0 if done. `comm` is an integer handle; of mpi_f08, comm%MPI_VAL.
    function roofmark_reduce(comm) bind(C, name="roofmark_reduce_f") result(error)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int) :: error
    end function

    ! Nothing is recorded between both; see roofmark.h.
    subroutine roofmark_pause() bind(C, name="roofmark_pause")
    end subroutine
    subroutine roofmark_resume() bind(C, name="roofmark_resume")
    end subroutine

    ! 1 if recording is on.
    function roofmark_active() bind(C, name="roofmark_active") result(active)
      import :: c_int
      integer(c_int) :: active
    end function
  end interface

  ! Canonical work of the innermost open region: floating-point operations, bytes moved. Both are
  ! integers or reals of one kind, 4 or 8. What is negative counts as 0.
  interface roofmark_work
    subroutine roofmark_work_i4(flops, bytes) bind(C, name="roofmark_fortran_work_i4")
      import :: c_int32_t
      integer(c_int32_t), value :: flops, bytes
    end subroutine
    subroutine roofmark_work_i8(flops, bytes) bind(C, name="roofmark_fortran_work_i8")
      import :: c_int64_t
      integer(c_int64_t), value :: flops, bytes
    end subroutine
    subroutine roofmark_work_r4(flops, bytes) bind(C, name="roofmark_fortran_work_r4")
      import :: c_float
      real(c_float), value :: flops, bytes
    end subroutine
    subroutine roofmark_work_r8(flops, bytes) bind(C, name="roofmark_fortran_work_r8")
      import :: c_double
      real(c_double), value :: flops, bytes
    end subroutine
  end interface

  ! Operations of the program's own kind ("updates") of the innermost open region: an integer or a
  ! real of kind 4 or 8.
  interface roofmark_operations
    subroutine roofmark_operations_i4(kind, count) bind(C, name="roofmark_fortran_operations_i4")
      import :: c_char, c_int32_t
      character(kind=c_char, len=*), intent(in) :: kind
      integer(c_int32_t), value :: count
    end subroutine
    subroutine roofmark_operations_i8(kind, count) bind(C, name="roofmark_fortran_operations_i8")
      import :: c_char, c_int64_t
      character(kind=c_char, len=*), intent(in) :: kind
      integer(c_int64_t), value :: count
    end subroutine
    subroutine roofmark_operations_r4(kind, count) bind(C, name="roofmark_fortran_operations_r4")
      import :: c_char, c_float
      character(kind=c_char, len=*), intent(in) :: kind
      real(c_float), value :: count
    end subroutine
    subroutine roofmark_operations_r8(kind, count) bind(C, name="roofmark_fortran_operations_r8")
      import :: c_char, c_double
      character(kind=c_char, len=*), intent(in) :: kind
      real(c_double), value :: count
    end subroutine
  end interface
end module roofmark
