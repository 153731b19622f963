// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/elf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lib/core/build_id.h"

namespace roofmark::binary {
namespace {

constexpr uint64_t kPageBytes = 4096;

Error Refused(const std::string& path, const std::string& why) {
  return Error{"cannot read the code of " + path + ": " + why};
}

std::string WhyUnusable(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is no ELF file";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64) {
    return "it is for another architecture; roofmark knows x86-64";
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return "it is neither an executable nor a shared library";
  }
  return "";
}

// The text that begins there in a table of names.
std::string NameAt(const std::string& names, uint32_t at) {
  return at < names.size() ? std::string(names.c_str() + at) : "";
}

}  // namespace

Result<ElfFile> ElfFile::Open(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Refused(path, std::strerror(errno));
  ElfFile file(path);
  file.descriptor_ = std::shared_ptr<const int>(new int(descriptor), [](const int* open_one) {
    close(*open_one);
    delete open_one;
  });
  struct stat info = {};
  if (fstat(descriptor, &info) != 0) return Refused(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return Refused(path, "it is no file");
  file.bytes_ = static_cast<uint64_t>(info.st_size);
  const std::string bytes = file.ReadAt(0, sizeof(Elf64_Ehdr));
  Elf64_Ehdr header = {};
  std::memcpy(&header, bytes.data(), bytes.size());
  if (const std::string why = WhyUnusable(header); !why.empty()) return Refused(path, why);
  if (!file.ReadSegments(header) || !file.ReadSections(header)) {
    return Refused(path, "the file is damaged or cut short");
  }
  return file;
}

const Section* ElfFile::Find(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

// Nothing if the file does not hold all of it.
std::string ElfFile::ReadAt(uint64_t at, uint64_t bytes) const {
  if (at > bytes_ || bytes > bytes_ - at) return "";
  std::string content(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        pread(*descriptor_, content.data() + done, bytes - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    done += static_cast<size_t>(got);
  }
  return content;
}

bool ElfFile::ReadSegments(const Elf64_Ehdr& header) {
  const std::string table = ReadAt(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
  if (table.empty() || header.e_phentsize != sizeof(Elf64_Phdr)) return false;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr entry = {};
    std::memcpy(&entry, table.data() + i * sizeof entry, sizeof entry);
    if (entry.p_type == PT_NOTE && build_id_.empty()) {
      build_id_ = Hexadecimal(FindBuildId(ReadAt(entry.p_offset, entry.p_filesz)));
    }
    if (entry.p_type != PT_LOAD) continue;
    if (entry.p_vaddr + entry.p_memsz < entry.p_vaddr) return false;
    segments_.push_back({(entry.p_flags & PF_X) != 0, entry.p_vaddr, entry.p_memsz, entry.p_offset,
                         std::min(entry.p_filesz, entry.p_memsz)});
  }
  if (segments_.empty()) return false;
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  base_ = segments_.front().address & ~(kPageBytes - 1);
  return true;
}

bool ElfFile::ReadSections(const Elf64_Ehdr& header) {
  if (header.e_shoff == 0) return true;
  const std::string first = ReadAt(header.e_shoff, sizeof(Elf64_Shdr));
  if (first.empty() || header.e_shentsize != sizeof(Elf64_Shdr)) return false;
  Elf64_Shdr entry = {};
  std::memcpy(&entry, first.data(), sizeof entry);
  // Numbers that do not fit into the header stand in the first section.
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : entry.sh_size;
  const uint64_t names_at = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : entry.sh_link;
  if (count > bytes_ / sizeof entry) return false;
  const std::string table = ReadAt(header.e_shoff, count * sizeof entry);
  if (table.empty()) return false;
  std::vector<uint32_t> names;
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(&entry, table.data() + i * sizeof entry, sizeof entry);
    names.push_back(entry.sh_name);
    sections_.push_back({"", entry.sh_type, entry.sh_flags, entry.sh_addr, entry.sh_offset,
                         entry.sh_size, entry.sh_link});
  }
  if (names_at >= count) return true;
  const std::string texts = Read(sections_[names_at]);
  for (size_t i = 0; i < count; ++i) sections_[i].name = NameAt(texts, names[i]);
  return true;
}

std::string ElfFile::Read(const Section& section) const {
  return section.type == SHT_NOBITS ? "" : ReadAt(section.at, section.bytes);
}

std::string ElfFile::ReadMemory(uint64_t address, uint64_t bytes) const {
  for (const Segment& segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.file_bytes) continue;
    const uint64_t into = address - segment.address;
    return ReadAt(segment.at + into, std::min(bytes, segment.file_bytes - into));
  }
  return "";
}

}  // namespace roofmark::binary
