// SPDX-License-Identifier: BSD-3-Clause
//
// The entry of the plug-in. This folder is the only place that includes mpi.h.
#include "mpi/plugin.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <new>

#include "mpi/plugin/mpi_comm.h"

namespace roofmark::mpi {
namespace {

void (*finalize_callback)() = nullptr;

bool World(uint32_t* rank, uint32_t* size) {
  int r = 0, n = 1, initialised = 0, finalised = 1;
  PMPI_Initialized(&initialised);
  PMPI_Finalized(&finalised);
  if (initialised == 0 || finalised != 0) return false;
  if (PMPI_Comm_rank(MPI_COMM_WORLD, &r) != MPI_SUCCESS) return false;
  if (PMPI_Comm_size(MPI_COMM_WORLD, &n) != MPI_SUCCESS) return false;
  *rank = static_cast<uint32_t>(r);
  *size = static_cast<uint32_t>(n);
  return true;
}

constexpr int kTellTag = 24'572;

void Tell(uint32_t to, uint64_t value) {
  PMPI_Send(&value, 1, MPI_UINT64_T, static_cast<int>(to), kTellTag, MPI_COMM_WORLD);
}

uint64_t Hear(uint32_t from) {
  uint64_t value = 0;
  PMPI_Recv(&value, 1, MPI_UINT64_T, static_cast<int>(from), kTellTag, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
  return value;
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

bool HasOneGroup(MPI_Comm comm) {
  int inter = 1;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
}

// Not MPI_Comm_dup: that would run the copy callbacks of other people's attributes. Not
// MPI_Comm_create_group: in Open MPI its messages match receives of the application that take any
// tag of any rank, and all would wait for ever.
Comm* OpenOn(MPI_Comm all) {
  MPI_Group group;
  MPI_Comm comm = MPI_COMM_NULL;
  if (PMPI_Comm_group(all, &group) != MPI_SUCCESS) return nullptr;
  const int created = PMPI_Comm_create(all, group, &comm);
  PMPI_Group_free(&group);
  if (created != MPI_SUCCESS || comm == MPI_COMM_NULL) return nullptr;
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return new (std::nothrow) MpiComm(comm);
}

Comm* Open() { return OpenOn(MPI_COMM_WORLD); }

Comm* OpenOver(int handle) {
  const MPI_Comm comm = PMPI_Comm_f2c(handle);
  return HasOneGroup(comm) ? OpenOn(comm) : nullptr;
}

int HandleOf(const Comm* comm) {
  return PMPI_Comm_c2f(static_cast<const MpiComm*>(comm)->handle());
}

void Close(Comm* comm) { delete comm; }

// Ranks of `group` in `world`, a few at a time: a communicator may be large.
bool VisitGroup(MPI_Group group, MPI_Group world, bool (*visit)(void*, uint32_t), void* context) {
  constexpr int kAtOnce = 1024;
  std::array<int, kAtOnce> own, there;
  int size = 0;
  if (PMPI_Group_size(group, &size) != MPI_SUCCESS) return false;
  for (int first = 0; first < size; first += kAtOnce) {
    const int count = std::min(kAtOnce, size - first);
    for (int i = 0; i < count; ++i) own[static_cast<size_t>(i)] = first + i;
    if (PMPI_Group_translate_ranks(group, count, own.data(), world, there.data()) != MPI_SUCCESS) {
      return false;
    }
    for (int i = 0; i < count; ++i) {
      const int rank = there[static_cast<size_t>(i)];
      const bool known = rank != MPI_UNDEFINED && rank >= 0;
      if (!visit(context, known ? static_cast<uint32_t>(rank) : UINT32_MAX)) return true;
    }
  }
  return true;
}

bool Members(int handle, bool (*visit)(void*, uint32_t), void* context) {
  const MPI_Comm comm = PMPI_Comm_f2c(handle);
  MPI_Group group, world;
  if (!HasOneGroup(comm) || PMPI_Comm_group(comm, &group) != MPI_SUCCESS) return false;
  bool done = false;
  if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
    done = VisitGroup(group, world, visit, context);
    PMPI_Group_free(&world);
  }
  PMPI_Group_free(&group);
  return done;
}

constexpr Plugin kPlugin = {kPluginVersion, &World, &Tell,     &Hear,     &OnFinalize,
                            &Open,          &Close, &OpenOver, &HandleOf, &Members};

}  // namespace
}  // namespace roofmark::mpi

extern "C" __attribute__((visibility("default"))) const roofmark::mpi::Plugin*
roofmark_mpi_plugin() {
  return &roofmark::mpi::kPlugin;
}
