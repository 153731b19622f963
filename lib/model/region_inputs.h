// SPDX-License-Identifier: BSD-3-Clause
//
// What the resource-time model knows of one region, drawn from the profile: work for every unit,
// and each shortfall's extent with its status, or the reason why nothing is known of it.
#ifndef ROOFMARK_LIB_MODEL_REGION_INPUTS_H_
#define ROOFMARK_LIB_MODEL_REGION_INPUTS_H_

#include <array>
#include <string_view>
#include <vector>

#include "lib/model/balance.h"
#include "lib/model/dependences.h"
#include "lib/model/flop_classes.h"
#include "lib/model/memory_streams.h"
#include "lib/model/node_kinds.h"
#include "lib/model/roofs.h"
#include "lib/model/shortfall.h"
#include "lib/model/small_pages.h"
#include "lib/model/unit_rates.h"
#include "lib/model/work.h"

namespace roofmark {

// The nodes of a job that are of one kind.
struct KindModel {
  KindModel(const Machine& machine, std::vector<ActiveHost> active);

  double DramBandwidth(double share) const;
  // What all cores draw, each through so many streams; 0: not measured.
  double StreamGbs(PageSize pages, double count, double share) const;
  double SmallPagesGbs(MemoryLevel level, double share) const;

  const Machine* machine;
  std::vector<ActiveHost> hosts;
  JobRoofs roofs;
  StreamCurve streams, small_page_streams;
};

// What all regions of a job are held against: sums over its nodes, whatever kinds they are of.
struct JobModel {
  // All have machines.
  JobModel(const std::vector<NodeKind>& nodes, const RunInfo& run);

  // A ceiling of the machine files with `share` of each node's cores at work; 0 if it was not
  // measured on all kinds of nodes.
  double ValueOf(std::string_view id, double share = 1) const;
  // The most DRAM traffic with `share` of the cores at work, GB/s; never above the roof.
  double DramBandwidth(double share) const;
  // What is read from DRAM with `share` of the cores at work, each through so many streams, at
  // most, GB/s; infinite where streams limit nothing; 0 if it was not measured on all kinds of
  // nodes.
  double StreamGbs(PageSize pages, double count, double share = 1) const;
  // What is read from pages of 4 KiB with `share` of the cores at work, at most, GB/s; 0 if it was
  // not measured on all kinds of nodes.
  double SmallPagesGbs(MemoryLevel level, double share = 1) const;

  std::vector<KindModel> kinds;
  JobRoofs roofs;
  UnitRates rates;
  double packages = 0;  // over all hosts; 0: not known
  double far_gbs = 0;   // DRAM with all pages on one node, GB/s; 0: not measured
  // The most that DRAM delivers, GB/s: the reads of whichever mixture of reads and writes had most;
  // 0: not measured.
  double read_gbs = 0;
};

// What is known of one region, over all ranks, in bytes and seconds.
struct RegionInputs {
  std::vector<FlopClass> flops;
  Value total_flops;
  Value operations;  // declared, of a kind of its own
  Value time_s;      // of the slowest rank
  // Instructions less one for each branch, which may be fused with the comparison before it.
  Value issue_slots;
  bool slots_may_wait = false;  // those without FLOPs: nobody told waiting apart
  std::array<Value, kMemoryLevels> bytes;
  bool kinds_told = true;     // of floating-point instructions
  double lanes_possible = 1;  // of an instruction of the widest registers, on average
  Value dram_reads;           // bytes, those that stores fetch included
  double nt_bytes = 0;        // of DRAM's: past the caches, hence no misses
  // Of DRAM's bytes, to those of the cache model where both are known: what the model tells of its
  // own bytes is true of the same share of theirs.
  double dram_over_model = 1;
  bool small_pages = false;  // all memory lies in pages of 4 KiB
  Value l3_reads;            // bytes; known where that is

  // How far each shortfall goes, as ShortfallInfo::extent says. Without a value the model cannot
  // tell, and why.
  std::array<Value, kShortfalls> extent;

  // Cures that may give nothing, as far as is known.
  Shortfalls unproven;
  HugePages huge_pages = HugePages::kNotKnown;

  Balance work, traffic;
  Dependences dependences;
  MemoryStreams streams;
  double busy_s = 0, stalled_s = 0;  // of all cores at the highest clock; 0: not counted
  double write_allocate_least = 0, write_allocate_most = 0;  // bytes
  double capacity = 0, conflict = 0;                         // shares of the last level's misses
  double controllers = 1, affinity = 1;                      // factors to the least time of DRAM
};

RegionInputs InputsOf(const JobProfile& job, size_t path, const JobModel& model);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_REGION_INPUTS_H_
