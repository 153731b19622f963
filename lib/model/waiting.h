// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that wait rather than work: an exchange of halos takes time that no unit and no memory
// level needs, so that vectorization will not help there. They are told apart from the
// regions that advice is for.
#ifndef ROOFMARK_LIB_MODEL_WAITING_H_
#define ROOFMARK_LIB_MODEL_WAITING_H_

#include <optional>

#include "lib/model/region_inputs.h"
#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

enum class WaitingFor : uint8_t {
  kNothing,
  kMpi,         // most of its time is inside MPI, or there and in OpenMP
  kMpiUntimed,  // nearly all that it executes is MPI's, and nobody measured the time
  kOpenMp,      // the same, and more of it in OpenMP: there all threads of a team wait
  kUnknown,     // hardly any floating-point work, and no traffic that explains the time
};

struct Waiting {
  Value busy_share;  // of its time, what its arithmetic and its traffic below L1 need at least
  WaitingFor what = WaitingFor::kNothing;
  double mpi_share = 0;     // where it waits for MPI: of its time, or of what it executes
  double openmp_share = 0;  // of its time, where it waits for either
  // For a wait of unknown cause: the longest time of a rank over the mean, where ranks differ.
  // Those that come early wait for the last one.
  std::optional<double> uneven;
  // Of a job of one thread, which waits for no other one: seconds of the run in which that thread
  // did not run; and whether in most of them it was ready to, but had no CPU. Nothing where that is
  // not known.
  std::optional<double> idle_s;
  bool had_no_cpu = false;
  // What was found was sampled while it ran; so did the thread of a job of one thread that was idle
  // for less than half of the region's time. Where another region would wait for a cause that is
  // not known, such a one does work that is not counted.
  bool other_work = false;

  // What time it spends inside MPI is MPI's own work (MpiWorks).
  bool mpi_works = false;
  // The job has other ranks: where MPI works, a rank may wait for one of them for less of the time.
  bool has_other_ranks = false;

  bool waits() const { return what != WaitingFor::kNothing; }
};

// It waits if most of the time of its busiest rank is inside MPI, or spent in OpenMP by all
// threads. Where that is not known: if nearly all instructions that were counted in it are MPI's;
// or if it has hardly any floating-point work and declares no other, and neither its traffic nor
// the kernel's work explains half of its time (L1 is left out: whoever spins on a flag loads and
// issues all the time). In a job of one thread what lies outside of all regions waits only if the
// thread is known not to have run.
Waiting WaitingOf(const JobProfile& job, size_t path, const RegionInputs& region,
                  const JobModel& model);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_WAITING_H_
