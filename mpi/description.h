// SPDX-License-Identifier: BSD-3-Clause
//
// What describes a run (hosts, warnings, sources, what recording cost) on its way to rank 0. Every
// statement carries the rank that made it, so that the result is that of merging the ranks in
// order, in whatever order they come.
#ifndef ROOFMARK_MPI_DESCRIPTION_H_
#define ROOFMARK_MPI_DESCRIPTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/profile.h"

namespace roofmark::mpi {

class Description {
 public:
  Description() = default;  // to be read
  Description(const RunInfo& run, const std::array<MetricSource, kMetrics>& sources, uint32_t rank);

  void Add(const Description& other);
  void Put(ByteWriter& writer) const;
  void Get(ByteReader& reader);

  // Into the profile of the rank that the file is written by: its passes stay, with the slowest
  // rank's wall times. Devices of many ranks are large: nothing is copied.
  void Store(JobProfile& job) &&;

  OwnCost cost;
  KernelUse kernel;
  CellTable whole;  // of the program, as JobProfile has it

 private:
  struct Warning {
    uint32_t rank, index;
    std::string text;
  };
  // The first kMaxWarnings different ones.
  void AddWarnings(const std::vector<Warning>& more);

  RunInfo run_;  // without its warnings
  std::vector<Warning> warnings_;
  bool more_warnings_ = false;
  std::array<MetricSource, kMetrics> sources_;
  std::array<uint32_t, kMetrics> source_ranks_{};
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_DESCRIPTION_H_
