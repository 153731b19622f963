// SPDX-License-Identifier: BSD-3-Clause
//
// PMIx_Commit, interposed: the moment in MPI_Init at which the MPI library hands its keys to the
// launcher (mpi/store/pmix_store.h).
#include <dlfcn.h>

#include <atomic>

#include "lib/core/inside.h"
#include "mpi/session.h"

#define ROOFMARK_HOOK extern "C" __attribute__((visibility("default")))

namespace {

using roofmark::mpi::PmixCalls;

void* Handle(const void* code) {
  Dl_info info;
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) return nullptr;
  return dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
}

// In the library behind this one, or, where PMIx is loaded by a plug-in of the MPI library and
// visible to it alone, in what the caller uses.
PmixCalls CallsOf(const void* caller) {
  const auto commit = reinterpret_cast<void*>(dlsym(RTLD_NEXT, "PMIx_Commit"));
  void* from = commit != nullptr ? Handle(commit) : Handle(caller);
  if (from == nullptr) return {};
  return {reinterpret_cast<roofmark::mpi::pmix::Put*>(dlsym(from, "PMIx_Put")),
          reinterpret_cast<roofmark::mpi::pmix::Get*>(dlsym(from, "PMIx_Get")),
          reinterpret_cast<roofmark::mpi::pmix::Commit*>(dlsym(from, "PMIx_Commit"))};
}

}  // namespace

ROOFMARK_HOOK int PMIx_Commit() {
  const PmixCalls calls = CallsOf(__builtin_return_address(0));
  const roofmark::Inside inside;
  return inside ? roofmark::mpi::OnCommitting(calls) : roofmark::mpi::CommitOnly(calls);
}
