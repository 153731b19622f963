// SPDX-License-Identifier: BSD-3-Clause
//
// What the library asks of the plug-in that writes one file of all ranks: HDF5, built once per MPI
// ABI against that MPI's HDF5, and loaded only where ROOFMARK_DETAIL asks for it.
#ifndef ROOFMARK_MPI_RANKS_FILE_PLUGIN_H_
#define ROOFMARK_MPI_RANKS_FILE_PLUGIN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roofmark::mpi {

// All methods are collective over the file's processes, and are called by all of them in the same
// order even after one has failed somewhere: a process that stopped would leave the others waiting.
// False: this process's share failed. Names and sizes are the same everywhere.
class DetailFile {
 public:
  virtual ~DetailFile() = default;

  // A dataset of texts that all processes know.
  virtual bool Texts(const char* dataset, const std::vector<std::string>& texts) = 0;
  // An attribute of a dataset; likewise.
  virtual bool Attribute(const char* dataset, const char* name,
                         const std::vector<std::string>& texts) = 0;
  // One entry for each of `rows`: this process brings those from `first` on.
  virtual bool TextColumn(const char* dataset, uint64_t rows, uint64_t first,
                          const std::vector<std::string>& texts) = 0;
  virtual bool Column(const char* dataset, uint64_t rows, uint64_t first,
                      std::span<const uint32_t> values) = 0;
  // Two datasets of rows x paths x metrics: 64-bit integers and their status, one byte.
  virtual bool Table(const char* values, const char* status, uint64_t rows, uint64_t paths,
                     uint64_t metrics) = 0;
  // A row of the last Table, paths x metrics; nothing: this process has no row in this turn.
  virtual bool Row(std::optional<uint64_t> row, std::span<const uint64_t> values,
                   std::span<const uint8_t> status) = 0;
  // Once, at the end.
  virtual bool Close() = 0;
};

inline constexpr uint32_t kDetailPluginVersion = 1;
inline constexpr char kDetailPluginEntry[] = "roofmark_detail_plugin";

struct DetailPlugin {
  uint32_t version;  // kDetailPluginVersion of the build; first, as in mpi/plugin.h
  // Replaces `name`. Collective over `comm`, a Fortran handle; null on failure.
  DetailFile* (*create)(int comm, const char* name);
  void (*destroy)(DetailFile* file);
};

using DetailPluginEntry = const DetailPlugin* (*)();

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_RANKS_FILE_PLUGIN_H_
