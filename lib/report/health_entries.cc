// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/health_entries.h"

#include "lib/core/table.h"

namespace roofmark {
namespace {

constexpr HealthEntry kHealthEntries[] = {
    {HealthId::kSharedCpus, "threads share CPUs",
     "More threads than CPUs: some wait while others run, so times are longer than the work needs, "
     "and what depends on them does not hold. The launcher bound the job to too few CPUs, a "
     "container grants less, or there are more ranks and threads than cores. Start fewer, or bind "
     "each rank to as many CPUs as it has threads."},
    {HealthId::kUnmeasuredNodes, "nodes without a machine file",
     "The job ran on a kind of node for which no machine file is at hand, so it has no roof there. "
     "Measure one such node with `roofmark machine`, and give the file with --machine."},
    {HealthId::kOtherMachine, "roofs of another machine",
     "The roofs were measured on a node of another kind than the one that ran the job: another "
     "CPU, memory or firmware. Measure a node of the job with `roofmark machine`."},
    {HealthId::kLowClock, "a low clock",
     "The cores ran at a lower clock than when the roofs were measured: a power limit, another "
     "governor, heat, or more cores in use. Compute and cache roofs are too high for this run by "
     "about that ratio."},
    {HealthId::kSlowNodes, "slow nodes",
     "The ranks of some nodes took longer for the same work than those of others. All ranks wait "
     "for the slowest: leave that node out, or have it looked at."},
    {HealthId::kRunQueue, "other load on the CPUs",
     "Threads were ready to run and had no CPU, because other processes ran there, or because a "
     "quota was used up. Regions look slower than they are by up to that time. Run on a node of "
     "its own."},
    {HealthId::kDebugBuild, "compiled without optimisation",
     "The program was compiled with -O0, so the report is about code that no production run "
     "executes. Compile with -O2 or -O3, and with -g for source lines."},
    {HealthId::kMissingRanks, "ranks are missing",
     "The file lacks ranks of the job: they died, or their files were not merged. Sums are too "
     "small. `roofmark recover` and `roofmark merge` add what they left."},
    {HealthId::kWarning, "the run gave a warning",
     "A sentence of the run itself: an execution that failed, executions that did different work, "
     "counters that could not be read."},
    {HealthId::kDoubtfulMachine, "roofs contradict each other",
     "Two figures of the machine file cannot both be right, such as less bandwidth on two cores "
     "than on one: at least one was measured beside other load. Neither roofs nor gains hold. "
     "Measure the idle machine again with `roofmark machine`."},
    {HealthId::kNoisyRoofs, "roofs are not certain",
     "Repeated measurements of a roof that this report uses differ by more than 10 %. What is "
     "compared with it is as uncertain. Measure the idle machine again with `roofmark machine`."},
    {HealthId::kAboveAttainable, "faster than attainable",
     "Regions that are faster than the model allows: a roof was measured under load, the real "
     "caches hold more than the modelled ones, or the executions did different work. No "
     "efficiency, gain or advice rests on such a bound."},
    {HealthId::kPageFaults, "many page faults",
     "The operating system supplied so many pages of memory that it took much of the time, most "
     "often at the "
     "first touch of arrays. Allocate once and reuse, or try larger pages."},
    {HealthId::kUnevenVisits, "one visit took much longer",
     "One visit of a region took much longer than its others: a first visit that loads code and "
     "touches memory, or a disturbance. Means over visits hide it."},
    {HealthId::kDeclaredDiffers, "declared work differs",
     "The FLOPs or bytes that the program declares for a region are not those that were counted. "
     "Correct the declaration, or look for work that it forgets."},
    {HealthId::kExtrapolated, "traffic is extrapolated",
     "DRAM traffic was modelled for some visits and scaled to all. They differ much, or are too "
     "few, so the sum is uncertain. More visits (--visits first:K), or --exact with --auto, make "
     "it certain."},
    {HealthId::kRepeatsDiffer, "executions differ",
     "The program was executed several times, and the times differ. Differences between regions "
     "that are smaller than that mean nothing."},
    {HealthId::kMarkers, "markers take time",
     "A region is visited so often that the markers take much of its time. Put the marker around "
     "an outer loop."},
    {HealthId::kOutsideRegions, "much time in no region",
     "Much of the run lies outside of all regions: nothing is said about it. Put markers around "
     "the loops there, or let `roofmark run --auto` find them."},
};
static_assert(InOrder(kHealthEntries, HealthId::kOutsideRegions));

}  // namespace

std::span<const HealthEntry> HealthEntries() { return kHealthEntries; }

const HealthEntry& InfoOf(HealthId id) { return RowOf(kHealthEntries, id); }

}  // namespace roofmark
