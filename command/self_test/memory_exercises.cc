// SPDX-License-Identifier: BSD-3-Clause
//
// Streams through arrays far larger than the last cache: what must come from DRAM is the arrays'
// size, for every line is new again when a pass comes back to it.
#include <unistd.h>

#include <algorithm>

#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/sweep.h"
#include "benchmarks/machine/topology.h"
#include "command/self_test/laboratory.h"

namespace roofmark::cli {
namespace {

struct Stream {
  MemoryKind kind;
  std::string_view name;
  double reads, stores;  // bytes per element
  bool allocates;        // ordinary stores: their lines may be read first
};
constexpr Stream kStreams[] = {
    {MemoryKind::kReadFour, "read", 8, 0, false},
    {MemoryKind::kCopy, "copy", 8, 8, true},
    {MemoryKind::kTriad, "triad", 16, 8, true},
    {MemoryKind::kTriadNt, "triad, non-temporal stores", 16, 8, false},
};

// Under the engine the caches are a model's, of at most 1 MiB.
size_t ArrayBytes(const Laboratory& laboratory) {
  if (laboratory.engine()) return size_t{9} << 20;
  size_t last_level = size_t{32} << 20;
  if (const Result<Topology> topology = ReadTopology()) {
    for (const CacheLevel& level : topology->caches) {
      last_level = std::max(last_level, static_cast<size_t>(level.size_bytes));
    }
  }
  const size_t memory =
      static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::clamp(8 * last_level, size_t{256} << 20, std::max(memory / 4, size_t{64} << 20));
}

// Of one pass. CPUs may skip reading lines that are stored as a whole (Ice Lake-SP and later do,
// when memory is busy), so ordinary stores make a range; the engine's caches always read them.
Known TrafficOf(const Stream& stream, double elements, bool engine) {
  const double stored_lines = stream.allocates ? stream.stores : 0;
  const Range reads = {elements * (stream.reads + (engine ? stored_lines : 0)),
                       elements * (stream.reads + stored_lines)};
  const Range writes = Exactly(elements * stream.stores);
  Known known;
  for (const char* scope : {"", "package_"}) {
    known[std::string(scope) + "dram_read_bytes"] = reads;
    known[std::string(scope) + "dram_write_bytes"] = writes;
    known[std::string(scope) + "dram_bytes"] = {reads.least + writes.least,
                                                reads.most + writes.most};
  }
  return known;
}

// Every line comes through every level; the traffic of stores differs too much from CPU to CPU.
Known ReadsOfCaches(double elements) {
  Known known;
  for (const char* metric : {"l1_read_bytes", "l2_read_bytes", "l3_read_bytes"}) {
    known[metric] = Exactly(8 * elements);
  }
  return known;
}

}  // namespace

void RunMemoryExercises(Laboratory& laboratory) {
  if (!laboratory.Offers("dram_read_bytes") && !laboratory.Offers("package_dram_read_bytes") &&
      !laboratory.Offers("package_dram_bytes") && !laboratory.Offers("l1_read_bytes")) {
    return;
  }
  std::vector<Buffer> slab;
  slab.emplace_back(ArrayBytes(laboratory));
  if (slab[0].data() == nullptr) return;
  FillSlab(slab[0]);
  Arrays arrays;
  const size_t count =
      SplitArrays(3, slab[0].data(), slab[0].size(), &arrays) / kMemoryBlock * kMemoryBlock;
  for (const Stream& stream : kStreams) {
    const auto work = [&](uint64_t passes) { RunMemory({stream.kind}, arrays, 0, count, passes); };
    const auto elements = static_cast<double>(count);
    // What lies unwritten in the caches before is what lies there after.
    work(1);
    laboratory.Run({Family::kDram, std::string(stream.name),
                    TrafficOf(stream, elements, laboratory.engine()), 1, 3},
                   work);
    if (stream.stores > 0) continue;
    laboratory.Run({Family::kCaches, std::string(stream.name), ReadsOfCaches(elements), 1, 3},
                   work);
  }
}

}  // namespace roofmark::cli
