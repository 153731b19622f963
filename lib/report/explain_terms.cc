// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/explain_terms.h"

#include <algorithm>
#include <iterator>

namespace roofmark {
namespace {

constexpr Term kTerms[] = {
    // What limits a region, as the column "held by" has it.
    {"compute", "limit",
     "The arithmetic units take most of the region's time: its FLOPs, with the SIMD width, FMAs "
     "and divisions that it has, at the rates that `roofmark machine` measured. Less work, or "
     "wider instructions, make it faster; less traffic does not.",
     "FLOPs of each kind / their measured rate, added up, >= half of the usable time",
     "2008 A.1.3; docs/model.md, Resource times",
     "compute 16.9 GFLOP/s, of roof 60 %: the same instructions could run 1.7 times as fast.",
     "docs/model.md#resource-times"},
    {"DRAM", "limit",
     "Moving data to and from main memory takes most of the region's time. Fewer bytes help: reuse "
     "in caches (blocking, fused loops), smaller types, no fetch of lines that are only "
     "overwritten. More FLOPs on the same data are free.",
     "DRAM bytes / measured bandwidth of the cores in use >= half of the usable time", "2008 §3",
     "31.1 GB/s of 33.0 GB/s: the memory is used up; the cores wait for it.",
     "docs/model.md#which-ceilings-can-hold-a-region-down"},
    {"L1",
     "limit",
     "Loads and stores between registers and the first cache take most of the region's time: more "
     "work for each loaded value (register blocking, unrolling an outer loop) helps.",
     "loaded and stored bytes / measured bandwidth of L1",
     "2008 §3; Ilic 2014",
     {},
     "docs/model.md#resource-times"},
    {"L2",
     "limit",
     "Lines that come from the second cache take most of the region's time: the working set fits "
     "there and not into L1. Smaller blocks help.",
     "bytes between L1 and L2 / measured bandwidth of L2",
     "2008 §3",
     {},
     "docs/model.md#resource-times"},
    {"L3",
     "limit",
     "Lines that come from the third cache take most of the region's time: the working set fits "
     "there and not into L2. Smaller blocks help.",
     "bytes between L2 and L3 / measured bandwidth of L3",
     "2008 §3",
     {},
     "docs/model.md#resource-times"},
    {"latency",
     "limit",
     "The region waits for single loads whose address depends on the one before (lists, indices of "
     "indices), or has too few loads under way to hide how long one takes. More independent loads "
     "at once, prefetching, or another layout of the data help; bandwidth is not used up.",
     "loads on the critical path x measured latency of the level that has them",
     "2008 A.1.2, A.3",
     {},
     "docs/model.md#dependences"},
    {"chain", "limit",
     "Each operation waits for the result of the one before it, as in a sum: the longest chain of "
     "dependent operations takes most of the region's time, and the units are idle between. "
     "Several sums at once, or another order of the loops, break the chain.",
     "longest path through the executed operations, each with its measured latency",
     "2008 A.1.3, A.3", "chain, 98 % of the critical path: four partial sums would take a quarter.",
     "docs/model.md#dependences"},
    {"branch",
     "limit",
     "Branches go another way than the core expected, and what it had begun behind them is thrown "
     "away: until the branch is known and the right instructions have entered takes most of the "
     "region's time. Branches that data decide at random are of this kind: cut-offs, limiters, "
     "binary search. A mask or an arithmetic expression in place of the branch, or sorted data, "
     "help. The predictor is a simulated one: a core may remember more, and `branch?` says that "
     "it does.",
     "mispredicted branches of the critical path x (wait for the branch + measured cost of one)",
     "2008 A.3; Seznec and Michaud 2006",
     {},
     "docs/model.md#dependences"},
    {"atomic",
     "limit",
     "Atomic updates take most of the region's time: each waits until all before it is done. "
     "A copy for each thread, colouring, or ranks in place of "
     "threads need none.",
     "atomic instructions of the critical path x measured time of one",
     "2008 A.3",
     {},
     "docs/model.md#dependences"},
    {"wait",
     "limit",
     "Most of the region's time no work of its own is done: it waits in MPI for other ranks, at a "
     "barrier of OpenMP for other threads, or sleeps. The rank or thread that the others wait for "
     "is the place to look; faster loops in the waiting ones give nothing.",
     "time inside MPI or OpenMP without work > half of the region's time",
     {},
     {},
     "docs/model.md#waiting"},
    {"MPI",
     "limit",
     "MPI itself works: the largest part of the region's time is inside MPI, and most of that goes "
     "into packing and copying data, or the job has one rank, which waits for no other. Fewer and "
     "larger messages, contiguous data types, or no MPI at all for data that the rank itself has, "
     "help.",
     "time inside MPI, the largest part; time of its copies > half of that",
     {},
     {},
     "docs/model.md#waiting"},
    {"OS",
     "limit",
     "The operating system (the Linux kernel) works for the region: mostly page faults of memory "
     "that is touched for the first time, or input and output.",
     "time in the operating system, the largest part of the time without waiting",
     {},
     "OS 42 % at the first touch of arrays: allocate once, or use larger pages.",
     "docs/model.md#what-the-operating-system-does",
     "kernel"},
    {kMarkUnknown,
     "limit",
     "What limits the region is not known. Less than half of its usable time is explained by "
     "anything that was counted: FLOPs, traffic, chains, waiting, the operating system. Or the "
     "model's bound is above the measured time by more than half: then the bound is wrong, and no "
     "attainable performance, gain or advice rests on it. `roofmark loops FILE REGION` shows the "
     "hottest instructions; mispredicted branches, calls and atomics are frequent causes.",
     "least time that its work needs / usable time < 0.5, or > 1.5",
     {},
     {},
     "docs/model.md#where-the-time-goes",
     {},
     "not known: most of the time is due to nothing that was counted"},
    {kTermPhases,
     "limit",
     "A region with inner regions or loops is the sum of its phases, one after another: two limits "
     "with / between them are those that hold the largest parts of its time, and the details below "
     "the tables have all parts with their shares. What to do stands at the inner regions.",
     "time of the inner regions and of its own code, added up by what limits each of them; one "
     "limit is named where it has >= 80 %",
     {},
     "DRAM/compute: memory limits the inner loops that take most of its time, the arithmetic units "
     "others.",
     "docs/model.md#phases",
     "/",
     "the two largest phases, one after another"},
    // Marks in cells of the tables.
    {kMarkLikely,
     "mark",
     "As in `DRAM?`: this is likely the limit, but not certain. The model's bound is above the "
     "measured time, by no more than half. So the bound is wrong, and no attainable performance, "
     "gain or advice rests on it; but other resources would have to be wrong by more. `?` alone is "
     "another thing: there nothing is likely.",
     "1 < least time that its work needs / usable time <= 1.5",
     {},
     {},
     "docs/model.md#where-the-time-goes",
     kMarkUnknown,
     "likely, not certain: by the model it needs more than the measured time"},
    {kMarkTwo,
     "mark",
     "Two limits: neither takes the time alone. Fixing one leaves the other.",
     {},
     {},
     "chain+DRAM: a chain of dependent operations, and the memory's bandwidth.",
     "docs/model.md#where-the-time-goes",
     {},
     "two limits, of which neither takes the time alone"},
    {kMarkNone,
     "mark",
     "There is no value. The list `missing (-)` below the tables has the reasons for regions.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value",
     {},
     "no value: the list \"missing (-)\" has the reasons for regions"},
    {kMarkDeclared,
     "mark",
     "The program declared this value (ROOF_REGION_WORK): nothing measured it.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value",
     {},
     "declared by the program, not measured"},
    {kMarkInRegions,
     "mark",
     "A value of the row (program) that was counted in regions only: the sum of what the regions "
     "declare. Nothing is known of what the program does outside of them.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value",
     kMarkDeclared,
     "of (program): counted in regions only"},
    {kMarkScaled,
     "mark",
     "Measured in some visits, or modelled in some parts of the run, and scaled up to all. CSV and "
     "JSON have the interval in which it lies (95 %).",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value",
     {},
     "scaled up from a part of the visits, or of the run"},
    // Rows and other parts.
    {"(program)",
     "row",
     "All of the run, from the start of the process to its end.",
     {},
     {},
     {},
     "docs/glossary.md"},
    {"(outside)",
     "row",
     "The time in no region: start, MPI_Init, input and output, and loops without markers. No "
     "advice covers it.",
     "time of (program) - time of the outermost regions",
     {},
     {},
     "docs/guide.md#choosing-regions"},
    {"(elsewhere)",
     "row",
     "The time in no loop and no function that was found: many parts that take little time each, "
     "or waiting. It is the row (outside) of a run in which no marker opened the outermost "
     "regions. No advice covers it.",
     "time of (program) - time of the outermost loops and functions",
     {},
     {},
     "docs/guide.md#where-the-time-goes-without-markers"},
    {"roofline",
     "picture",
     "A region's dot stands at its FLOPs per byte (across) and its GFLOP/s (up); the line above it "
     "is what the machine allows there: memory bandwidth x intensity on the left, peak on the "
     "right. The gap between dot and line is what there is to gain at most.",
     "attainable = min(peak, bandwidth x intensity)",
     "2008 §3",
     {},
     "docs/model.md#roofline"},
    {"CAUTION",
     "entry",
     "What makes the figures of this report doubtful, with the cure. Where it says that times do "
     "not hold, no verdict of the report does: repeat the run as it says.",
     {},
     {},
     {},
     "docs/model.md#advice-and-health"},
    {"FLOP/byte",
     "unit",
     "Operational intensity: floating-point operations for each byte that moves to or from DRAM. "
     "Tables have it in the column FLOP/B, rooflines on their lower axis.",
     {},
     "2008 §3",
     {},
     "docs/glossary.md"},
    {"gain",
     "value",
     "By how much what is attainable rises without one shortfall, while all others stay: at most "
     "so much faster does the region get.",
     "attainable without it / attainable as it is",
     "2008 A.3",
     {},
     "docs/model.md#advice"},
    // How sure a value is.
    {"measured",
     "status",
     "Counted by hardware or by the counting engine, or timed.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value"},
    {"scaled",
     "status",
     "Measured during a part of the time or of the visits, and scaled up to all.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value"},
    {"modelled",
     "status",
     "Computed by a model from what was executed, as traffic by the cache model of the counting "
     "engine.",
     {},
     {},
     {},
     "docs/accuracy.md"},
    {"declared",
     "status",
     "Stated by the program (ROOF_REGION_WORK).",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value"},
    {"invalid",
     "status",
     "There is no value: the reading was outside of what is physically possible, or code went on "
     "uncounted; the reason stands below the tables.",
     {},
     {},
     {},
     "docs/glossary.md#status-of-a-value"},
};

}  // namespace

std::span<const Term> Terms() { return kTerms; }

const Term& TermOf(std::string_view word) {
  return *std::find_if(std::begin(kTerms), std::end(kTerms),
                       [word](const Term& term) { return term.word == word; });
}

}  // namespace roofmark
