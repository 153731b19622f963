// SPDX-License-Identifier: BSD-3-Clause
//
// A merge over MPI in which the other ranks send any bytes: it fails, or gives a profile.
#include <algorithm>
#include <cstring>

#include "mpi/reduce.h"
#include "tests/fuzz/reports.h"
#include "tests/lib/profile/sample_job.h"

using namespace roofmark;

namespace {

// What arrives comes from the input, until that is used up.
class Hostile final : public mpi::Comm {
 public:
  Hostile(std::string_view input, uint32_t rank, uint32_t size)
      : input_(input), rank_(rank), size_(size) {}

  uint32_t Rank() const override { return rank_; }
  uint32_t Size() const override { return size_; }
  bool AllreduceU64(std::span<uint64_t> values, mpi::ReduceOp op) override {
    for (uint64_t& value : values) {
      uint64_t other = value;
      // Seldom different, or no table would fit.
      if (input_.size() % 4 == 0 && !Take(&other, 1)) return false;
      value = mpi::Apply(op, value, other);
    }
    return true;
  }
  bool Bcast(void* data, size_t size) override { return rank_ == 0 || Take(data, size); }
  bool Send(uint32_t, const void*, size_t) override { return true; }
  bool Recv(uint32_t, void* data, size_t size) override { return Take(data, size); }
  bool Arrived(uint32_t, bool& arrived) override { return arrived = true; }

 private:
  bool Take(void* data, size_t size) {
    if (size > input_.size()) return false;
    std::memcpy(data, input_.data(), size);
    input_.remove_prefix(size);
    return true;
  }

  std::string_view input_;
  const uint32_t rank_, size_;
};

JobProfile Local() {
  JobProfile job = test::EmptyJob(4);
  job.run.ranks_merged = 1;
  test::AddPass(job, "timer", 1);
  test::AddPath(job, "a");
  test::AddPath(job, "a/b");
  for (size_t path = 0; path < 2; ++path) {
    test::Set(job, path, metric::kVisits, {3});
    test::Set(job, path, metric::kTimeNs, {1000});
  }
  FillSpreads(job);
  return job;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  static const JobProfile& local = *new JobProfile(Local());
  Hostile comm(fuzz::Text(data + 2, size - 2), data[0] % 4, 4);
  const auto merged = mpi::ReduceProfiles(comm, local);
  if (merged && *merged) {
    RooflineToJson({**merged, {}});
    fuzz::Report(**merged, {});
  }
  return 0;
}
