! SPDX-License-Identifier: BSD-3-Clause
!
! What wait.c does with a barrier and a message, by each of Fortran's interfaces; wait_turns.h says how
! the ranks come to a region.
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
  call begin_and_work("barrier")
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call roofmark_end("barrier")
  if (ierror /= MPI_SUCCESS) stop 2
  call begin_and_work("recv")
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
  subroutine begin_and_work(region)
    character(len=*), intent(in) :: region
    integer(c_int) :: error
    integer :: turn(1)
    turn = 0
    if (rank == 0) then
      call roofmark_begin(region)
      call PMPI_Send(turn, 1, MPI_INTEGER, 1, 91, MPI_COMM_WORLD, ierror)
      call PMPI_Recv(turn, 1, MPI_INTEGER, 1, 92, MPI_COMM_WORLD, status, ierror)
      error = usleep(200000_c_int)
    else
      call PMPI_Recv(turn, 1, MPI_INTEGER, 0, 91, MPI_COMM_WORLD, status, ierror)
      call roofmark_begin(region)
      error = usleep(100000_c_int)
      call PMPI_Send(turn, 1, MPI_INTEGER, 0, 92, MPI_COMM_WORLD, ierror)
    end if
  end subroutine
end program wait
