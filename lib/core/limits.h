// SPDX-License-Identifier: BSD-3-Clause
//
// What readers take and writers keep to: what lies beyond is refused with a message that has the
// number and the limit. docs/file-formats.md lists them.
#ifndef ROOFMARK_LIB_CORE_LIMITS_H_
#define ROOFMARK_LIB_CORE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace roofmark::limits {

// Regions. A process leaves out what would exceed them, and says so.
inline constexpr size_t kNameBytes = 255;    // of a region's name; longer ones are cut
inline constexpr size_t kPathBytes = 16384;  // of a path's full name, escaped
inline constexpr size_t kPathDepth = 256;    // different regions inside each other
inline constexpr uint32_t kPaths = 65536;    // of one process, and of one file

// Jobs and machines.
inline constexpr uint32_t kRanks = 1 << 24;  // of a job
inline constexpr uint32_t kCpus = 1 << 20;   // of a node
inline constexpr uint32_t kRepeats = 1000;   // executions for time

// JSON of any kind.
inline constexpr int kJsonDepth = 64;           // levels
inline constexpr size_t kJsonMembers = 512;     // of one object
inline constexpr size_t kJsonValues = 1 << 24;  // numbers, texts, arrays and objects

// Figures of a machine file, in their units: far beyond every machine, and far from where products
// of them overflow.
inline constexpr double kFigure = 1e15;
inline constexpr double kFactor = 1000;  // traffic per useful byte

// Bytes of a file.
inline constexpr size_t kRooflineBytes = size_t{1} << 30;
inline constexpr size_t kMachineBytes = size_t{16} << 20;
inline constexpr size_t kSpoolBytes = size_t{1} << 30;
inline constexpr size_t kTopologyBytes = size_t{16} << 20;
inline constexpr size_t kSystemBytes = size_t{64} << 20;  // what the kernel shows in /proc and /sys

// Spools: threads times paths.
inline constexpr size_t kSpoolRows = 1 << 22;
inline constexpr size_t kSpoolCountRows = 1 << 18;  // of those that have counts

// Executed code, and what is found in it.
inline constexpr size_t kExecutedModules = 1 << 16;
inline constexpr size_t kExecutedRows = 1 << 20;  // blocks, or ways between them, of one module
inline constexpr size_t kNests = 1 << 14;         // loops and functions that become regions
inline constexpr size_t kNestRanges = 1 << 18;

// Samples of CPU time. What a process has beyond them is counted as unknown, or in `other_threads`.
inline constexpr size_t kSamplesBytes = size_t{256} << 20;  // of a file
inline constexpr size_t kSampledModules = 16384;            // of a process, and of a file
inline constexpr size_t kSampledPlaces = 1 << 18;           // likewise
inline constexpr size_t kSampledThreads = 16384;            // of a process
inline constexpr size_t kCountedPlaces = 64;                // likewise

// Messages of a merge over MPI.
inline constexpr uint64_t kMessageBytes = uint64_t{4} << 30;

}  // namespace roofmark::limits

#endif  // ROOFMARK_LIB_CORE_LIMITS_H_
