// SPDX-License-Identifier: BSD-3-Clause
//
// What libroofmark.so and the command ask of a plug-in. A plug-in is built once per MPI ABI, from
// the same sources as the library it belongs to; it names no MPI library as needed, so its PMPI_*
// calls bind to the one that the application has loaded.
#ifndef ROOFMARK_MPI_PLUGIN_H_
#define ROOFMARK_MPI_PLUGIN_H_

#include <cstdint>

#include "mpi/comm.h"

namespace roofmark::mpi {

inline constexpr uint32_t kPluginVersion = 6;
inline constexpr char kPluginEntry[] = "roofmark_mpi_plugin";

// Every function may be called between MPI_Init and MPI_Finalize, by the thread that calls those;
// those that take a communicator, by any caller that may use it. Communicators are Fortran handles,
// which are integers in every MPI.
struct Plugin {
  uint32_t version;  // kPluginVersion of the build; first, so that any other layout is recognised
  // Rank in and size of MPI_COMM_WORLD. Local. False where there is none: before MPI_Init, after
  // MPI_Finalize, or in a process that has sessions only.
  bool (*world)(uint32_t* rank, uint32_t* size);
  // A message between two processes of MPI_COMM_WORLD, on that communicator. Only before MPI_Init's
  // wrapper returns: later, the application's receives could match it. Block.
  void (*tell)(uint32_t to, uint64_t value);
  uint64_t (*hear)(uint32_t from);
  // Has `callback` called when MPI_Finalize frees MPI_COMM_SELF, where communication still works.
  // Local.
  bool (*on_finalize)(void (*callback)());
  // All of MPI_COMM_WORLD on a communicator of roofmark's own. Collective over it; null on failure.
  Comm* (*open)();
  void (*close)(Comm* comm);
  // The same of `comm`'s processes. Collective over it; null on failure, and for a communicator
  // that is null or has two groups.
  Comm* (*open_over)(int comm);
  // Fortran handle of a communicator that this plug-in opened. Local.
  int (*handle)(const Comm* comm);
  // Calls visit(context, rank in MPI_COMM_WORLD) for the members of `comm`, in their order, until
  // it returns false; the rank is UINT32_MAX for a process of another world. Local. False if `comm`
  // is null, has two groups, or MPI fails.
  bool (*members)(int comm, bool (*visit)(void* context, uint32_t world_rank), void* context);
};

using PluginEntry = const Plugin* (*)();

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_PLUGIN_H_
