// SPDX-License-Identifier: BSD-3-Clause
//
// What a machine sustains, as measured by `roofmark machine`: plain data, filled by
// benchmarks/machine and read by the model. One per kind of node.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_H_
#define ROOFMARK_LIB_MODEL_MACHINE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/node_identity.h"
#include "lib/model/gpu_machine.h"

namespace roofmark {

// One measurement: the sustained figure and its spread.
struct MachinePoint {
  uint32_t cores = 1;     // active cores, one thread each
  uint32_t packages = 1;  // packages these cores lie in
  double value = 0;  // the figure to use, in the ceiling's unit: what samples reached repeatedly
  double median = 0, min = 0, max = 0;
  uint32_t samples = 0;
  double ghz = 0;  // clock that the cores held, median over the samples; 0: not measured
  // What another run may differ by, relative to the value: the difference between the figures of
  // the first and of the second half of the samples. 1: too few of them to tell.
  double noise = 0;
  std::string variant;  // of the kernel that was best ("2048 bytes ahead"), or empty
  // Several nodes: how many, and the lowest and the highest of their values; `value` is the median.
  uint32_t nodes = 1;
  double node_min = 0, node_max = 0;  // meaningful with nodes > 1
};

// One ceiling as a curve against active cores. `id` is stable and made of words joined by dots:
//   compute.<dp|sp|hp|bf16>.<chain|ilp|add|mul|muladd|fma|fmaadd|div|sqrt>.<scalar|128|256|512>
//     GFLOP/s. "fmaadd": fused beside plain additions; bf16's "fma" is a dot product that adds up
//     in single precision
//   compute.<...>.peak    the highest of any kind and width for that precision; no width part
//   mix.<dp|sp>.<2|4|8|16>  GFLOP/s of the widest FMA where it is every 2nd ... 16th instruction
//   bandwidth.<L1|L2|L3|DRAM>.<read|copy|triad>  GB/s, useful bytes per second; `counted_factor`
//     gives traffic / useful bytes (4/3 for a triad whose stores allocate), and the roof is
//     value * counted_factor. For DRAM also the ladder of section A.1.2 of the 2008 paper:
//     random (lines in random order), strided (every fourth line), read_far (no affinity: all pages
//     on one NUMA node), read_prefetch and triad_prefetch (tuned software prefetch), triad_nt
//     (non-temporal stores), streams_<1|2|4|8> (read by one core through so many streams side by
//     side), small_pages (read from pages of 4 KiB; all others are measured in huge pages, as far
//     as the kernel gives them; of L3, too), streams_<1|2|4|8>.small_pages (both). random is had of
//     L3, too, on one core. Files of before have neither streams_, small_pages nor random of L3
//   latency.<L1|L2|L3|DRAM>            ns per dependent load
//   latency.<second_tlb|page_walk|page_walk_dram>, and each with ".small_pages" behind it
//     the same in huge pages, and in those of 4 KiB (docs/machine.md)
//   chain.<dp|sp>_<add|mul|mul_add|fma|div|sqrt_add>
//   chain.<convert|convert_general|int_mul|int_div>
//   chain.memory_<dp|int>_add          ns per operation that waits for the last; files of before
//     have none; times clock.scalar: cycles
//   branch.<random|one_way>            ns per conditional branch whose outcomes are random, and of
//     those that always go one way
//   latency.misprediction              ns that a branch takes longer that went another way than
//     expected: the difference of the two, by the half of the first one's that did
//   latency.atomic                     ns per locked addition to a word in L1
//   throughput.<int|int_mul|compare|convert|convert_general|to_vector|from_vector|vector_int|
//     vector_int_mul|shuffle|cross|load|store>
//     Ginst/s of one core, of independent instructions of that class of latencies. Those of
//     floating-point arithmetic follow from compute.<dp|sp>.<add|mul|fma|div|sqrt>.scalar. These
//     and branches are measured on x86-64 alone; files of before have none
//   numa.bandwidth.<from>.<to>         GB/s read by all cores of NUMA node <from> in memory of <to>
//   numa.latency.<from>.<to>           ns
//   clock.<scalar|128|256|512>         GHz held in arithmetic of that width
struct CeilingCurve {
  std::string id;
  std::string label;  // for people: "DRAM triad, non-temporal stores"
  std::string unit;   // "GFLOP/s", "Ginst/s", "GB/s", "ns", "GHz"
  double counted_factor = 1;
  // Ascending in packages, then in cores; at least one point.
  std::vector<MachinePoint> curve;
  std::string note;  // "noisy: 7 %", "plateau 64 MiB, reported 260 MiB", or empty
};

struct CacheLevel {
  uint32_t level = 1;
  uint64_t size_bytes = 0;  // as hwloc reports
  uint32_t ways = 0;        // 0: unknown
  uint32_t line_bytes = 64;
  uint32_t shared_by_cores = 1;
  uint64_t plateau_bytes = 0;  // as the working-set sweep found; 0: not measured
};

// Memory that cores may lie near to; a tier of its own (HBM, CXL) often has no cores.
struct NumaNode {
  uint32_t index = 0;  // as the kernel counts
  std::string kind;    // "DRAM", "HBM", ... as hwloc says; empty if it does not
  uint64_t memory_bytes = 0;
  uint32_t cores = 0;  // of those in the cpuset, local to it
};

struct Machine : NodeIdentity {
  static constexpr int kVersion = 1;
  std::string kernel;
  std::string governor;  // of the clock, as the kernel names it; empty: it does not say
  uint64_t max_khz = 0;  // that the governor may choose; 0: not known
  std::string cpuset;    // list form, "0-1", of the process that measured
  uint32_t packages = 1, cores = 1, threads = 1;  // within that cpuset
  std::vector<std::string> package_cpus;          // CPUs of each package, list form
  std::vector<std::string> isa;                   // widths usable: "scalar", "128", "256", "512"
  std::vector<CacheLevel> caches;
  std::vector<NumaNode> numa_nodes;
  std::vector<CeilingCurve> ceilings;
  std::vector<GpuMachine> gpus;    // those that were measured; of all nodes
  std::vector<std::string> nodes;  // host names, of an MPI job's measurement; else empty
  std::string measured_at;         // UTC, ISO 8601
  std::string effort;              // "quick", "default", "full"
  bool partial = false;            // interrupted; what is there is valid
  double seconds = 0;              // time the measurement took
  std::vector<std::string> warnings;
  // Of figures that contradict each other though they were measured again: not to be trusted.
  std::vector<std::string> contradictions;

  // nullptr if there is no such ceiling.
  const CeilingCurve* Find(std::string_view id) const;
};

// The ceiling at a number of active cores that lie in `packages` packages, equally many in each; 0:
// in as few as hold them, by what the curve tells of a package. Linear between points, in cores and
// in packages; clamped at the ends.
double ValueAt(const CeilingCurve& ceiling, double cores, uint32_t packages = 0);

// Which it is, for people: its CPU, and how and when it was measured.
std::string TitleOf(const Machine& machine);

// Packages that have a CPU of `cpuset` (list form); 0 if the machine does not say.
uint32_t PackagesOf(const Machine& machine, std::string_view cpuset);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_H_
