// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <utility>

#include "mpi/agree.h"
#include "mpi/part.h"

namespace roofmark::mpi {

namespace {

// What a rank brings that cannot take part in the merge.
class Nothing final : public Merging {
 public:
  bool Take(const std::vector<char>&) override { return false; }
  std::vector<char> Pack() override { return {}; }
};

}  // namespace

Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local,
                                                 const ReduceOptions& options) {
  const Error failed{
      "the ranks' profiles could not be merged: MPI failed, or a rank sent what "
      "the others did not understand"};
  const std::optional<Agreement> agreement = Agree(comm, local);
  if (!agreement) return failed;
  if (!agreement->whole) {
    Nothing nothing;
    (void)MergeUp(comm, nothing, false);
    return failed;
  }
  Part part(local, *agreement, comm.Rank(), options.finalize_ns);
  if (!MergeUp(comm, part)) return failed;
  if (comm.Rank() != 0) return std::optional<JobProfile>();
  return std::optional<JobProfile>(std::move(part).Finish(local));
}

}  // namespace roofmark::mpi
