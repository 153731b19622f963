! SPDX-License-Identifier: BSD-3-Clause
program job_mpif
  use roofmark
  implicit none
  include 'mpif.h'
  integer :: rank, i, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do i = 0, rank
    call roofmark_begin("common")
    call roofmark_end("common")
  end do
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(a)', "done"
  call MPI_Finalize(error)
end program job_mpif
