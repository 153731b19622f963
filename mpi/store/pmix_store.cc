// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/store/pmix_store.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

namespace roofmark::mpi {

int CommitOnly(const PmixCalls& calls) {
  return calls.commit == nullptr ? pmix::kNotThere : calls.commit();
}

int PmixStore::Commit(const PmixCalls& calls) {
  const bool mine = calls.put != nullptr && calls.get != nullptr && !committed_.exchange(true);
  bool put = false;
  if (mine && name_space_.size() < sizeof(pmix::Proc::nspace) && usable_()) {
    pmix::Value there = {pmix::kUint32, {}};
    there.data.number = 1;
    put = calls.put(pmix::kGlobal, kPresenceKey, &there) == pmix::kSuccess;
  }
  const int result = CommitOnly(calls);
  if (mine) {
    calls_ = calls;
    announced_ = put && result == pmix::kSuccess;
  }
  return result;
}

bool PmixStore::IsThere(uint32_t rank) {
  pmix::Proc proc = {};
  std::copy(name_space_.begin(), name_space_.end(), proc.nspace);
  proc.rank = rank;
  pmix::Info only_here = {};
  std::copy(std::begin(pmix::kOptional), std::end(pmix::kOptional), only_here.key);
  only_here.value = {pmix::kBool, {}};
  only_here.value.data.flag = true;
  pmix::Value* value = nullptr;
  const int result = calls_.get(&proc, kPresenceKey, &only_here, 1, &value);
  const bool there = result == pmix::kSuccess && value != nullptr;
  std::free(value);  // a number has nothing below it
  return there;
}

bool BringsAllKeys(void* library) {
  const auto flag = [&](const char* name) {
    return static_cast<const volatile bool*>(dlsym(library, name));
  };
  const auto collects = flag("opal_pmix_collect_all_data");
  const auto in_background = flag("opal_pmix_base_async_modex");
  return collects != nullptr && in_background != nullptr && *collects && !*in_background;
}

}  // namespace roofmark::mpi
