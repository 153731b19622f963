! SPDX-License-Identifier: BSD-3-Clause
!
! What wait.c does with a barrier and a message, by each of Fortran's interfaces.
program wait
#if defined(WITH_F08)
  use mpi_f08
#elif defined(WITH_MPI)
  use mpi
#endif
  use roofmark
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
#if defined(WITH_MPIF)
  include 'mpif.h'
#endif
  interface
    function usleep(us) bind(C) result(error)
      import :: c_int
      integer(c_int), value :: us
      integer(c_int) :: error
    end function
  end interface
#if defined(WITH_F08)
  type(MPI_Status) :: status
#else
  integer :: status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ierror, message(4)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call PMPI_Barrier(MPI_COMM_WORLD, ierror)
  call roofmark_begin("barrier")
  call work()
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call roofmark_end("barrier")
  if (ierror /= MPI_SUCCESS) stop 2
  call PMPI_Barrier(MPI_COMM_WORLD, ierror)
  call roofmark_begin("recv")
  call work()
  message = rank
  if (rank == 0) then
    message = 42
    call MPI_Send(message, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror)
  else
    call MPI_Recv(message, 4, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, status, ierror)
  end if
  call roofmark_end("recv")
  if (any(message /= 42)) stop 3
  call MPI_Finalize(ierror)
contains
  subroutine work()
    integer(c_int) :: error
    error = usleep(merge(400000_c_int, 100000_c_int, rank == 0))
  end subroutine
end program wait
