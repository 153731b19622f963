// SPDX-License-Identifier: BSD-3-Clause
//
// A machine's curves at the cores that a job may keep busy, summed over its hosts: the one place
// where the scope of a figure is decided, so that dots, roofs and ceilings of one job agree.
#ifndef ROOFMARK_LIB_MODEL_JOB_SCOPE_H_
#define ROOFMARK_LIB_MODEL_JOB_SCOPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/model/machine.h"
#include "lib/profile/profile.h"

namespace roofmark {

// The CPU time that a host's cgroups grant its ranks, in CPUs, where that is less than the CPUs
// that they may use. The largest of its ranks' figures: ranks of one group share it.
std::optional<double> QuotaOf(const HostInfo& host);

// What a job may use of a host, in cores: those that have a CPU of it, no more than its quota.
// Nothing where that is not known.
std::optional<double> UsableCores(const HostInfo& host);

// What a job keeps busy of one host.
struct ActiveHost {
  double cores = 1;       // the smaller of its usable cores and its ranks' threads
  uint32_t packages = 0;  // they lie in; 0: not known
};

// What a job keeps busy of its hosts, all of them such machines; at least one. At least one core of
// each package that the job may use is busy, as far as the cores reach.
std::vector<ActiveHost> ActiveHosts(const Machine& machine, const RunInfo& run);
// The same of some of its hosts, by their indices; of none: of a run that does not say its hosts.
std::vector<ActiveHost> ActiveHosts(const Machine& machine, const RunInfo& run,
                                    const std::vector<size_t>& which);

// The ceiling over the whole job with `share` (0 to 1) of each host's cores at work; bandwidths as
// traffic. Below one core of a host it falls in proportion: some other host has that core, or the
// host's cgroup gives less than one.
double JobValue(const CeilingCurve& ceiling, const std::vector<ActiveHost>& hosts,
                double share = 1);

// What another measurement of it may differ by, relative to its value: the largest noise of the
// points nearest to what the hosts keep busy.
double JobNoise(const CeilingCurve& ceiling, const std::vector<ActiveHost>& hosts);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_JOB_SCOPE_H_
