// SPDX-License-Identifier: BSD-3-Clause
//
// The MPI library that the process has loaded, found at run time and without mpi.h.
#ifndef ROOFMARK_MPI_LIBRARY_H_
#define ROOFMARK_MPI_LIBRARY_H_

#include <string>

#include "lib/core/result.h"
#include "mpi/next_symbol.h"
#include "mpi/plugin.h"

namespace roofmark::mpi {

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(NextSymbol(name));
}

// First line of what MPI_Get_library_version (or that of a library that is not visible yet) says;
// empty if it cannot be called. Allowed before MPI_Init.
using VersionFunction = int(char*, int*);
std::string LibraryVersion(VersionFunction* version = nullptr);

// "openmpi" or "mpich" (which Intel MPI, MVAPICH and Cray MPICH are compatible with); empty for
// others.
std::string FamilyOf(const std::string& version);

// Where the plug-ins lie: beside the library that this code is part of.
std::string PluginDirectory();

// The plug-in for the library that is loaded. The error names the file and the cure.
Result<const Plugin*> LoadPlugin(const std::string& version,
                                 const std::string& directory = PluginDirectory());

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_LIBRARY_H_
