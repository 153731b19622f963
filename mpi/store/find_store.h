// SPDX-License-Identifier: BSD-3-Clause
//
// The store of keys of the launcher that started this process.
#ifndef ROOFMARK_MPI_STORE_FIND_STORE_H_
#define ROOFMARK_MPI_STORE_FIND_STORE_H_

#include <memory>
#include <string>

#include "mpi/store/key_store.h"
#include "mpi/store/pmi_store.h"
#include "mpi/store/pmix_store.h"

namespace roofmark::mpi {

// At most one of both.
struct Stores {
  std::unique_ptr<PmiStore> pmi;
  std::unique_ptr<PmixStore> pmix;

  KeyStore* Any() const { return pmi ? static_cast<KeyStore*>(pmi.get()) : pmix.get(); }
};

// Before MPI_Init. `family` is that of the MPI library (FamilyOf), which chooses its protocol: Open
// MPI speaks PMIx; MPICH PMI-1 where the launcher gave it a socket, and PMIx otherwise. None where
// the launcher has no store that is known, or started one process only.
Stores FindStore(const std::string& family, StartThread* start);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_FIND_STORE_H_
