// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of an ELF file of x86-64 that are needed to find functions. Every number in it is held
// against the size of the file, so that a damaged file is an error.
#ifndef ROOFMARK_LIB_BINARY_ELF_FILE_H_
#define ROOFMARK_LIB_BINARY_ELF_FILE_H_

#include <elf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::binary {

struct Section {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t address = 0;  // as the linker gave it; see ElfFile::base()
  uint64_t at = 0;       // in the file
  uint64_t bytes = 0;
  uint32_t link = 0;  // index of the section that belongs to it
};

struct Segment {
  bool executable = false;
  uint64_t address = 0, bytes = 0;  // in memory
  uint64_t at = 0, file_bytes = 0;  // in the file
};

class ElfFile {
 public:
  // An executable or a shared library. Errors name the file.
  static Result<ElfFile> Open(const std::string& path);

  const std::string& path() const { return path_; }
  // Empty if the file has none (it was stripped of them).
  const std::vector<Section>& sections() const { return sections_; }
  const Section* Find(std::string_view name) const;
  // Those that are mapped, by address.
  const std::vector<Segment>& segments() const { return segments_; }
  // Of the note that the linker writes, hexadecimal; empty: there is none.
  const std::string& build_id() const { return build_id_; }
  // The address at which the first page of the file is mapped if nothing is moved. Offsets are
  // counted from there.
  uint64_t base() const { return base_; }

  // Empty where the section has no content in the file.
  std::string Read(const Section& section) const;
  // What the file holds for so many bytes of memory; fewer where the segment ends.
  std::string ReadMemory(uint64_t address, uint64_t bytes) const;

 private:
  explicit ElfFile(std::string path) : path_(std::move(path)) {}
  std::string ReadAt(uint64_t at, uint64_t bytes) const;
  bool ReadSections(const Elf64_Ehdr& header);
  bool ReadSegments(const Elf64_Ehdr& header);

  std::string path_;
  std::shared_ptr<const int> descriptor_;
  uint64_t bytes_ = 0;
  std::vector<Section> sections_;
  std::vector<Segment> segments_;
  std::string build_id_;
  uint64_t base_ = 0;
};

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_ELF_FILE_H_
