// SPDX-License-Identifier: BSD-3-Clause
//
// The entry of the plug-in. This folder is the only place that includes mpi.h.
#include "mpi/plugin.h"

#include <mpi.h>

#include <new>

#include "mpi/plugin/mpi_comm.h"

namespace roofmark::mpi {
namespace {

void (*finalize_callback)() = nullptr;

bool World(uint32_t* rank, uint32_t* size) {
  int r = 0, n = 1;
  if (PMPI_Comm_rank(MPI_COMM_WORLD, &r) != MPI_SUCCESS) return false;
  if (PMPI_Comm_size(MPI_COMM_WORLD, &n) != MPI_SUCCESS) return false;
  *rank = static_cast<uint32_t>(r);
  *size = static_cast<uint32_t>(n);
  return true;
}

int OnSelfDeleted(MPI_Comm, int, void*, void*) {
  if (finalize_callback != nullptr) finalize_callback();
  return MPI_SUCCESS;
}

bool OnFinalize(void (*callback)()) {
  finalize_callback = callback;
  int key = MPI_KEYVAL_INVALID;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &OnSelfDeleted, &key, nullptr) !=
      MPI_SUCCESS) {
    return false;
  }
  const bool set = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  PMPI_Comm_free_keyval(&key);  // lives on until the attribute is gone
  return set;
}

// Not MPI_Comm_dup: that would run the copy callbacks of other people's attributes, and take a
// place in the order of collectives on MPI_COMM_WORLD.
Comm* Open() {
  constexpr int kTag = 24'571;
  MPI_Group group;
  MPI_Comm comm = MPI_COMM_NULL;
  if (PMPI_Comm_group(MPI_COMM_WORLD, &group) != MPI_SUCCESS) return nullptr;
  const int created = PMPI_Comm_create_group(MPI_COMM_WORLD, group, kTag, &comm);
  PMPI_Group_free(&group);
  if (created != MPI_SUCCESS || comm == MPI_COMM_NULL) return nullptr;
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return new (std::nothrow) MpiComm(comm);
}

void Close(Comm* comm) { delete comm; }

constexpr Plugin kPlugin = {kPluginVersion, &World, &OnFinalize, &Open, &Close};

}  // namespace
}  // namespace roofmark::mpi

extern "C" __attribute__((visibility("default"))) const roofmark::mpi::Plugin*
roofmark_mpi_plugin() {
  return &roofmark::mpi::kPlugin;
}
