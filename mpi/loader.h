// SPDX-License-Identifier: BSD-3-Clause
//
// The plug-in that fits the MPI of this process.
#ifndef ROOFMARK_MPI_LOADER_H_
#define ROOFMARK_MPI_LOADER_H_

#include <string>
#include <string_view>

#include "lib/core/result.h"
#include "mpi/plugin.h"

namespace roofmark::mpi {

// "openmpi", "mpich" (its ABI: MPICH, Intel MPI, MVAPICH, Cray MPICH ...), or empty, from what
// MPI_Get_library_version says.
std::string_view AbiFamily(std::string_view version);

// First line of MPI_Get_library_version; empty without MPI. Allowed before MPI_Init.
std::string MpiVersion();

// Loads <folder of libroofmark.so>/roofmark/libroofmark_mpi_<family>.so, for good.
Result<const Plugin*> LoadPlugin(const std::string& version);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_LOADER_H_
