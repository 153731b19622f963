// SPDX-License-Identifier: BSD-3-Clause
//
// What each launcher says in the environment of the processes that it starts, and how it is told to
// give them CPUs. docs/mpi.md shows the table; a test holds both together.
#ifndef ROOFMARK_LIB_CORE_LAUNCHER_TABLE_H_
#define ROOFMARK_LIB_CORE_LAUNCHER_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace roofmark {

// Names of variables; nullptr where the launcher has none.
struct LauncherInfo {
  std::string_view name;
  // Set in each of its processes. Launchers start each other: of several rows whose sign is set the
  // first one started the process.
  const char* sign = nullptr;
  const char* rank = nullptr;         // in MPI_COMM_WORLD
  const char* ranks = nullptr;        // its size
  const char* nodes = nullptr;        // of the job; with 1, all ranks are on this node
  const char* local_rank = nullptr;   // on this node, from 0
  const char* local_ranks = nullptr;  // on this node
  // A number that was asked for is no promise: the last node may have fewer.
  bool local_ranks_are_asked = false;
  // Together unique among the jobs on a node, and the same in all processes of one.
  const char* job = nullptr;
  const char* step = nullptr;
  // How it gives each rank as many CPUs as `#`; empty where that is not known.
  std::string_view binding = {};
  // How it starts one process on the node `@` that may use `#` CPUs; empty likewise.
  std::string_view on_host = {};
  std::string_view source = {};
};

std::span<const LauncherInfo> LauncherTable();

// The row of a name, or nullptr.
const LauncherInfo* FindLauncher(std::string_view name);

// A command of a row for a node and a number of CPUs. Without a number (0) its options are left
// out.
std::string Filled(std::string_view command, std::string_view host, uint32_t cpus);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LAUNCHER_TABLE_H_
