# SPDX-License-Identifier: BSD-3-Clause
"""Python with mpi4py, not linked with roofmark: the library is preloaded and found in the process."""
import ctypes

from mpi4py import MPI

process = ctypes.CDLL(None)
for _ in range(MPI.COMM_WORLD.rank + 1):
    process.roofmark_begin(b"common")
    process.roofmark_end(b"common")
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 0:
    print("done")
