// SPDX-License-Identifier: BSD-3-Clause
//
// The calls whose time is time inside MPI: all that may wait for another process, or move data.
// Neither files nor one-sided transfers themselves: what waits there is their synchronisation.
#ifndef ROOFMARK_MPI_WAIT_CALLS_H_
#define ROOFMARK_MPI_WAIT_CALLS_H_

// PLAIN(C name, Fortran name in lower case, in upper case, number of the C function's arguments);
// LARGE has a second C function, for counts of 64 bits: MPI_Send_c.
// clang-format off
#define ROOFMARK_MPI_CALLS(PLAIN, LARGE) \
  /* messages */ \
  LARGE(MPI_Send, mpi_send, MPI_SEND, 6) \
  LARGE(MPI_Bsend, mpi_bsend, MPI_BSEND, 6) \
  LARGE(MPI_Ssend, mpi_ssend, MPI_SSEND, 6) \
  LARGE(MPI_Rsend, mpi_rsend, MPI_RSEND, 6) \
  LARGE(MPI_Recv, mpi_recv, MPI_RECV, 7) \
  LARGE(MPI_Sendrecv, mpi_sendrecv, MPI_SENDRECV, 12) \
  LARGE(MPI_Sendrecv_replace, mpi_sendrecv_replace, MPI_SENDRECV_REPLACE, 9) \
  LARGE(MPI_Isend, mpi_isend, MPI_ISEND, 7) \
  LARGE(MPI_Ibsend, mpi_ibsend, MPI_IBSEND, 7) \
  LARGE(MPI_Issend, mpi_issend, MPI_ISSEND, 7) \
  LARGE(MPI_Irsend, mpi_irsend, MPI_IRSEND, 7) \
  LARGE(MPI_Irecv, mpi_irecv, MPI_IRECV, 7) \
  PLAIN(MPI_Probe, mpi_probe, MPI_PROBE, 4) \
  PLAIN(MPI_Iprobe, mpi_iprobe, MPI_IPROBE, 5) \
  PLAIN(MPI_Mprobe, mpi_mprobe, MPI_MPROBE, 5) \
  PLAIN(MPI_Improbe, mpi_improbe, MPI_IMPROBE, 6) \
  LARGE(MPI_Mrecv, mpi_mrecv, MPI_MRECV, 5) \
  LARGE(MPI_Imrecv, mpi_imrecv, MPI_IMRECV, 5) \
  LARGE(MPI_Buffer_detach, mpi_buffer_detach, MPI_BUFFER_DETACH, 2) \
  /* their completion */ \
  PLAIN(MPI_Wait, mpi_wait, MPI_WAIT, 2) \
  PLAIN(MPI_Waitall, mpi_waitall, MPI_WAITALL, 3) \
  PLAIN(MPI_Waitany, mpi_waitany, MPI_WAITANY, 4) \
  PLAIN(MPI_Waitsome, mpi_waitsome, MPI_WAITSOME, 5) \
  PLAIN(MPI_Test, mpi_test, MPI_TEST, 3) \
  PLAIN(MPI_Testall, mpi_testall, MPI_TESTALL, 4) \
  PLAIN(MPI_Testany, mpi_testany, MPI_TESTANY, 5) \
  PLAIN(MPI_Testsome, mpi_testsome, MPI_TESTSOME, 5) \
  PLAIN(MPI_Start, mpi_start, MPI_START, 1) \
  PLAIN(MPI_Startall, mpi_startall, MPI_STARTALL, 2) \
  PLAIN(MPI_Request_free, mpi_request_free, MPI_REQUEST_FREE, 1) \
  PLAIN(MPI_Cancel, mpi_cancel, MPI_CANCEL, 1) \
  /* collectives */ \
  PLAIN(MPI_Barrier, mpi_barrier, MPI_BARRIER, 1) \
  LARGE(MPI_Bcast, mpi_bcast, MPI_BCAST, 5) \
  LARGE(MPI_Gather, mpi_gather, MPI_GATHER, 8) \
  LARGE(MPI_Gatherv, mpi_gatherv, MPI_GATHERV, 9) \
  LARGE(MPI_Scatter, mpi_scatter, MPI_SCATTER, 8) \
  LARGE(MPI_Scatterv, mpi_scatterv, MPI_SCATTERV, 9) \
  LARGE(MPI_Allgather, mpi_allgather, MPI_ALLGATHER, 7) \
  LARGE(MPI_Allgatherv, mpi_allgatherv, MPI_ALLGATHERV, 8) \
  LARGE(MPI_Alltoall, mpi_alltoall, MPI_ALLTOALL, 7) \
  LARGE(MPI_Alltoallv, mpi_alltoallv, MPI_ALLTOALLV, 9) \
  LARGE(MPI_Alltoallw, mpi_alltoallw, MPI_ALLTOALLW, 9) \
  LARGE(MPI_Reduce, mpi_reduce, MPI_REDUCE, 7) \
  LARGE(MPI_Allreduce, mpi_allreduce, MPI_ALLREDUCE, 6) \
  LARGE(MPI_Reduce_scatter, mpi_reduce_scatter, MPI_REDUCE_SCATTER, 6) \
  LARGE(MPI_Reduce_scatter_block, mpi_reduce_scatter_block, MPI_REDUCE_SCATTER_BLOCK, 6) \
  LARGE(MPI_Scan, mpi_scan, MPI_SCAN, 6) \
  LARGE(MPI_Exscan, mpi_exscan, MPI_EXSCAN, 6) \
  LARGE(MPI_Neighbor_allgather, mpi_neighbor_allgather, MPI_NEIGHBOR_ALLGATHER, 7) \
  LARGE(MPI_Neighbor_allgatherv, mpi_neighbor_allgatherv, MPI_NEIGHBOR_ALLGATHERV, 8) \
  LARGE(MPI_Neighbor_alltoall, mpi_neighbor_alltoall, MPI_NEIGHBOR_ALLTOALL, 7) \
  LARGE(MPI_Neighbor_alltoallv, mpi_neighbor_alltoallv, MPI_NEIGHBOR_ALLTOALLV, 9) \
  LARGE(MPI_Neighbor_alltoallw, mpi_neighbor_alltoallw, MPI_NEIGHBOR_ALLTOALLW, 9) \
  /* begun collectives */ \
  PLAIN(MPI_Ibarrier, mpi_ibarrier, MPI_IBARRIER, 2) \
  LARGE(MPI_Ibcast, mpi_ibcast, MPI_IBCAST, 6) \
  LARGE(MPI_Igather, mpi_igather, MPI_IGATHER, 9) \
  LARGE(MPI_Igatherv, mpi_igatherv, MPI_IGATHERV, 10) \
  LARGE(MPI_Iscatter, mpi_iscatter, MPI_ISCATTER, 9) \
  LARGE(MPI_Iscatterv, mpi_iscatterv, MPI_ISCATTERV, 10) \
  LARGE(MPI_Iallgather, mpi_iallgather, MPI_IALLGATHER, 8) \
  LARGE(MPI_Iallgatherv, mpi_iallgatherv, MPI_IALLGATHERV, 9) \
  LARGE(MPI_Ialltoall, mpi_ialltoall, MPI_IALLTOALL, 8) \
  LARGE(MPI_Ialltoallv, mpi_ialltoallv, MPI_IALLTOALLV, 10) \
  LARGE(MPI_Ialltoallw, mpi_ialltoallw, MPI_IALLTOALLW, 10) \
  LARGE(MPI_Ireduce, mpi_ireduce, MPI_IREDUCE, 8) \
  LARGE(MPI_Iallreduce, mpi_iallreduce, MPI_IALLREDUCE, 7) \
  LARGE(MPI_Ireduce_scatter, mpi_ireduce_scatter, MPI_IREDUCE_SCATTER, 7) \
  LARGE(MPI_Ireduce_scatter_block, mpi_ireduce_scatter_block, MPI_IREDUCE_SCATTER_BLOCK, 7) \
  LARGE(MPI_Iscan, mpi_iscan, MPI_ISCAN, 7) \
  LARGE(MPI_Iexscan, mpi_iexscan, MPI_IEXSCAN, 7) \
  LARGE(MPI_Ineighbor_allgather, mpi_ineighbor_allgather, MPI_INEIGHBOR_ALLGATHER, 8) \
  LARGE(MPI_Ineighbor_allgatherv, mpi_ineighbor_allgatherv, MPI_INEIGHBOR_ALLGATHERV, 9) \
  LARGE(MPI_Ineighbor_alltoall, mpi_ineighbor_alltoall, MPI_INEIGHBOR_ALLTOALL, 8) \
  LARGE(MPI_Ineighbor_alltoallv, mpi_ineighbor_alltoallv, MPI_INEIGHBOR_ALLTOALLV, 10) \
  LARGE(MPI_Ineighbor_alltoallw, mpi_ineighbor_alltoallw, MPI_INEIGHBOR_ALLTOALLW, 10) \
  /* one-sided: synchronisation only */ \
  PLAIN(MPI_Win_fence, mpi_win_fence, MPI_WIN_FENCE, 2) \
  PLAIN(MPI_Win_start, mpi_win_start, MPI_WIN_START, 3) \
  PLAIN(MPI_Win_complete, mpi_win_complete, MPI_WIN_COMPLETE, 1) \
  PLAIN(MPI_Win_post, mpi_win_post, MPI_WIN_POST, 3) \
  PLAIN(MPI_Win_wait, mpi_win_wait, MPI_WIN_WAIT, 1) \
  PLAIN(MPI_Win_test, mpi_win_test, MPI_WIN_TEST, 2) \
  PLAIN(MPI_Win_lock, mpi_win_lock, MPI_WIN_LOCK, 4) \
  PLAIN(MPI_Win_unlock, mpi_win_unlock, MPI_WIN_UNLOCK, 2) \
  PLAIN(MPI_Win_lock_all, mpi_win_lock_all, MPI_WIN_LOCK_ALL, 2) \
  PLAIN(MPI_Win_unlock_all, mpi_win_unlock_all, MPI_WIN_UNLOCK_ALL, 1) \
  PLAIN(MPI_Win_flush, mpi_win_flush, MPI_WIN_FLUSH, 2) \
  PLAIN(MPI_Win_flush_all, mpi_win_flush_all, MPI_WIN_FLUSH_ALL, 1) \
  PLAIN(MPI_Win_flush_local, mpi_win_flush_local, MPI_WIN_FLUSH_LOCAL, 2) \
  PLAIN(MPI_Win_flush_local_all, mpi_win_flush_local_all, MPI_WIN_FLUSH_LOCAL_ALL, 1) \
  PLAIN(MPI_Win_sync, mpi_win_sync, MPI_WIN_SYNC, 1) \
  /* communicators */ \
  PLAIN(MPI_Comm_dup, mpi_comm_dup, MPI_COMM_DUP, 2) \
  PLAIN(MPI_Comm_split, mpi_comm_split, MPI_COMM_SPLIT, 4) \
  PLAIN(MPI_Comm_split_type, mpi_comm_split_type, MPI_COMM_SPLIT_TYPE, 5) \
  PLAIN(MPI_Comm_create, mpi_comm_create, MPI_COMM_CREATE, 3) \
  PLAIN(MPI_Comm_create_group, mpi_comm_create_group, MPI_COMM_CREATE_GROUP, 4) \
  PLAIN(MPI_Comm_free, mpi_comm_free, MPI_COMM_FREE, 1)
// clang-format on

#endif  // ROOFMARK_MPI_WAIT_CALLS_H_
