// SPDX-License-Identifier: BSD-3-Clause
//
// What stands behind a function of MPI that one of roofmark's libraries interposes.
#ifndef ROOFMARK_MPI_NEXT_SYMBOL_H_
#define ROOFMARK_MPI_NEXT_SYMBOL_H_

namespace roofmark::mpi {

// The MPI library that the process has loaded, also one that only its loader sees (Python with
// mpi4py); nullptr: none yet. With `visible`, what is loaded from here on binds to it.
void* LoadedMpi(bool visible);

// The next definition of `name` after the library that this code is part of, so that other tools
// keep working; where MPI's library was opened locally, its own. nullptr if there is none.
void* NextSymbol(const char* name);

// Does the process's MPI have the standard ABI of MPI 5.0 (libmpi_abi.so)? Its handles are of
// another kind than those of the family that its version names.
bool HasStandardAbi();

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_NEXT_SYMBOL_H_
