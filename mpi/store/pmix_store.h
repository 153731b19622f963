// SPDX-License-Identifier: BSD-3-Clause
//
// The store of launchers that speak PMIx (mpirun of Open MPI, srun with pmix). The MPI library owns
// the only client of it that a process may have, so this process's key is put when the library
// calls PMIx_Commit, before MPI_Init's fence. No rank asks the launcher for keys of other nodes:
// the fence has brought them, if the library collects them.
#ifndef ROOFMARK_MPI_STORE_PMIX_STORE_H_
#define ROOFMARK_MPI_STORE_PMIX_STORE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "mpi/store/key_store.h"
#include "mpi/store/pmix_abi.h"

namespace roofmark::mpi {

// PMIx's functions that the MPI library uses. Any may be missing.
struct PmixCalls {
  pmix::Put* put = nullptr;
  pmix::Get* get = nullptr;
  pmix::Commit* commit = nullptr;
};

// What PMIx_Commit does without roofmark.
int CommitOnly(const PmixCalls& calls);

class PmixStore final : public KeyStore {
 public:
  // `name_space` is PMIX_NAMESPACE: of the processes of one MPI_COMM_WORLD.
  // `usable` is asked when the library has read its own settings: false, and no key is put.
  PmixStore(std::string name_space, std::function<bool()> usable)
      : name_space_(std::move(name_space)), usable_(std::move(usable)) {}

  // PMIx_Commit as the library called it: puts the key first, at the first call.
  int Commit(const PmixCalls& calls);

  void Initialised() override {}
  bool Announced() const override { return announced_; }
  bool IsThere(uint32_t rank) override;

 private:
  const std::string name_space_;
  const std::function<bool()> usable_;
  PmixCalls calls_;
  std::atomic<bool> committed_{false}, announced_{false};
};

// Open MPI, `library`, brings all keys to all nodes in MPI_Init, as it does by default: otherwise a
// process could know some keys of other nodes and not others. False if it does not say so.
bool BringsAllKeys(void* library);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_PMIX_STORE_H_
