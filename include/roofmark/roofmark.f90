! SPDX-License-Identifier: BSD-3-Clause
!
! Fortran 2018 interface: interfaces only, no code, so the module needs no object file.
!
!     use roofmark
!     call roofmark_begin("stencil")
!     ...
!     call roofmark_end("stencil")
!
! Names are compared without trailing blanks. Scope and errors: see roofmark.h.
module roofmark
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
  implicit none
  private
  public :: roofmark_begin, roofmark_end, roofmark_work, roofmark_operations, &
      roofmark_active, roofmark_reduce

  interface
    subroutine roofmark_begin(name) bind(C, name="roofmark_fortran_begin")
      import :: c_char
      character(kind=c_char, len=*), intent(in) :: name
    end subroutine

    subroutine roofmark_end(name) bind(C, name="roofmark_fortran_end")
      import :: c_char
      character(kind=c_char, len=*), intent(in) :: name
    end subroutine

    ! Canonical work of the innermost open region: floating-point operations, bytes moved.
    subroutine roofmark_work(flops, bytes) bind(C, name="roofmark_region_work")
      import :: c_int64_t
      integer(c_int64_t), value :: flops, bytes
    end subroutine

    ! Operations of the program's own kind ("updates") of the innermost open region.
    subroutine roofmark_operations(kind, count) bind(C, name="roofmark_fortran_operations")
      import :: c_char, c_int64_t
      character(kind=c_char, len=*), intent(in) :: kind
      integer(c_int64_t), value :: count
    end subroutine

    ! A merge of your own, see mpi.h: 0 if done. `comm` is an integer handle; of mpi_f08, comm%MPI_VAL.
    function roofmark_reduce(comm) bind(C, name="roofmark_reduce_f") result(error)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int) :: error
    end function

    ! 1 if recording is on.
    function roofmark_active() bind(C, name="roofmark_active") result(active)
      import :: c_int
      integer(c_int) :: active
    end function
  end interface
end module roofmark
