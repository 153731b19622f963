// SPDX-License-Identifier: BSD-3-Clause
//
// The launchers of every MPI that was found, as MPIRUN_<family> defines them.
#ifndef ROOFMARK_TESTS_MPI_LAUNCHERS_H_
#define ROOFMARK_TESTS_MPI_LAUNCHERS_H_

#include <filesystem>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/support/pairs.h"
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

inline std::vector<Mpi> AllMpis() { return {std::begin(kMpis), std::end(kMpis)}; }

// Of jobs that MPI's own doings are nothing to, the MPI on which they are: this one, or what is
// there instead. In the exhaustive group they are on each.
inline std::vector<Mpi> OneMpi(std::string_view name) {
  const std::vector<Mpi> all = AllMpis();
  for (const Mpi& mpi : all) {
    if (name == mpi.name) return SomeOf({mpi}, all);
  }
  return all;
}

// The same where the jobs differ by a factor: each value is on one MPI, the next value on the next.
// `first`: where it begins.
template <typename Value>
std::vector<std::tuple<Mpi, Value>> InTurns(const std::vector<Value>& values, size_t first = 0) {
  const std::vector<Mpi> all = AllMpis();
  if (Exhaustive() || all.empty()) return Pairs(all, values);
  std::vector<std::tuple<Mpi, Value>> jobs;
  for (size_t i = 0; i < values.size(); ++i)
    jobs.emplace_back(all[(first + i) % all.size()], values[i]);
  return jobs;
}

// Of these values those that are on this MPI.
template <typename Value>
std::vector<Value> TurnsOf(const Mpi& mpi, const std::vector<Value>& values) {
  std::vector<Value> own;
  for (const auto& [on, value] : InTurns(values)) {
    if (std::string_view(on.name) == mpi.name) own.push_back(value);
  }
  return own;
}

// A folder for one job, below one that vanishes at the end of the test's process.
inline std::string FolderOfJob() {
  static const TempDir folders;
  static int jobs = 0;
  const std::string folder = folders.File(std::to_string(++jobs));
  std::filesystem::create_directory(folder);
  return folder;
}

// Adds what Open MPI wants before it starts jobs for root, and more ranks than cores. Each job has
// a folder of its own for Open MPI's files: of two launchers that share one, the one that ends
// removes it while the other one begins. So does a launcher that outlives its job for a moment.
inline Environment ForLaunchers(Environment environment) {
  for (const auto& [name, value] : Environment{{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                               {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                               {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                               {"OMPI_MCA_orte_tmpdir_base", FolderOfJob()}}) {
    environment.try_emplace(name, value);
  }
  return environment;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_LAUNCHERS_H_
