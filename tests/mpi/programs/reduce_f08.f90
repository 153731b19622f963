! SPDX-License-Identifier: BSD-3-Clause
program reduce_f08
  use mpi_f08
  use roofmark
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call roofmark_begin("common")
  call roofmark_end("common")
  if (roofmark_reduce(MPI_COMM_WORLD%MPI_VAL) /= 0) stop 1
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) print '(a)', "done"
  call MPI_Finalize()
end program reduce_f08
