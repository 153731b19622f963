! SPDX-License-Identifier: BSD-3-Clause
program job_f08
  use mpi_f08
  use roofmark
  implicit none
  integer :: rank, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  do i = 0, rank
    call roofmark_begin("common")
    call roofmark_end("common")
  end do
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) print '(a)', "done"
  call MPI_Finalize()
end program job_f08
