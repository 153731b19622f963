// SPDX-License-Identifier: BSD-3-Clause
//
// The launchers of every MPI that was found, as MPIRUN_<family> defines them.
#ifndef ROOFMARK_TESTS_MPI_LAUNCHERS_H_
#define ROOFMARK_TESTS_MPI_LAUNCHERS_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process.h"

namespace roofmark::test {

struct Mpi {
  const char* name;
  const char* launcher;
  bool IsOpenMpi() const { return std::string_view(name) == "openmpi"; }
};
inline void PrintTo(const Mpi& mpi, std::ostream* out) { *out << mpi.name; }

inline constexpr Mpi kMpis[] = {
#ifdef MPIRUN_OPENMPI
    {"openmpi", MPIRUN_OPENMPI},
#endif
#ifdef MPIRUN_MPICH
    {"mpich", MPIRUN_MPICH},
#endif
};

// Adds what Open MPI wants before it starts jobs for root, and more ranks than cores. Its folder
// belongs to the test: of two launchers beside each other the one that ends may remove that of the
// one that begins.
inline Environment ForLaunchers(Environment environment) {
  static const TempDir folder;
  for (const auto& [name, value] : Environment{{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                               {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                               {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                               {"OMPI_MCA_orte_tmpdir_base", folder.path()}}) {
    environment.try_emplace(name, value);
  }
  return environment;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_LAUNCHERS_H_
