// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/store/find_store.h"

#include <cstdlib>
#include <optional>

#include "lib/core/launcher.h"
#include "mpi/next_symbol.h"

namespace roofmark::mpi {

Stores FindStore(const std::string& family, StartThread* start) {
  Stores stores;
  const bool is_openmpi = family == "openmpi";
  const std::optional<uint32_t> socket = LauncherNumber({"PMI_FD"});
  if (socket && !is_openmpi) {
    const std::optional<uint32_t> rank = LauncherNumber({"PMI_RANK"});
    const std::optional<uint32_t> ranks = LauncherNumber({"PMI_SIZE"});
    if (rank && ranks && *ranks > 1) {
      stores.pmi = PmiStore::Start(static_cast<int>(*socket), *rank, start);
    }
    return stores;
  }
  if (const char* name_space = std::getenv("PMIX_NAMESPACE")) {
    const auto usable = [is_openmpi] { return !is_openmpi || BringsAllKeys(LoadedMpi(false)); };
    stores.pmix = std::make_unique<PmixStore>(name_space, usable);
  }
  return stores;
}

}  // namespace roofmark::mpi
