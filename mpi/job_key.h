// SPDX-License-Identifier: BSD-3-Clause
//
// What processes of one job on one node have in common before MPI is up, and no other job has.
#ifndef ROOFMARK_MPI_JOB_KEY_H_
#define ROOFMARK_MPI_JOB_KEY_H_

#include <string>

namespace roofmark::mpi {

// From the environment that the launcher gave; empty if it gave nothing that tells jobs apart.
// Knows PMIx (Open MPI, PRRTE, Slurm), PMI over a socket (hydra of MPICH and its relatives), Slurm.
std::string NodeJobKey();

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_JOB_KEY_H_
