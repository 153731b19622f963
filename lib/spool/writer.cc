// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "lib/counts/read_row.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/place.h"

namespace roofmark::spool {
namespace {

// Chunks grow with what there is, so that neighbouring ranks fit a small tmpfs and a large one does
// not need thousands of mappings.
constexpr size_t kFirstChunk = 64 << 10, kLargestChunk = 4 << 20;

// A file beyond the limit would be answered by SIGXFSZ.
bool WithinFileLimit(size_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         bytes <= limit.rlim_cur;
}

const char* BaseName(const std::string& path) { return path.c_str() + path.rfind('/') + 1; }

}  // namespace

std::unique_ptr<Writer> Writer::Create(Options options) noexcept try {
  std::unique_ptr<Writer> writer(new Writer(std::move(options)));
  if (!writer->Reserve()) return nullptr;
  if (!writer->options_.directory.empty()) writer->StartFile();
  if (!writer->Grow(sizeof(Header))) return nullptr;
  writer->WriteHeader();
  return writer;
} catch (...) {
  return nullptr;
}

Writer::~Writer() {
  if (base_ != nullptr) munmap(base_, range_);
}

// Addresses only. Where they are limited most of them are left to the application.
bool Writer::Reserve() noexcept {
  rlimit limit;
  range_ = options_.range;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    range_ = std::min<size_t>(range_, limit.rlim_cur / 64 / kFirstChunk * kFirstChunk);
  }
  for (; range_ >= kFirstChunk; range_ = range_ / 2 / kFirstChunk * kFirstChunk) {
    void* base =
        mmap(nullptr, range_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    base_ = static_cast<char*>(base);
    return true;
  }
  return false;
}

void Writer::StartFile() noexcept try {
  Result<NewFile> made = MakeFile(options_.directory, options_.name);
  if (!made) return GoPrivate(made.error());
  struct stat info;
  const bool known = fstat(made->fd, &info) == 0;
  close(made->fd);
  if (!known || !place_.Keep(options_.directory)) {
    const std::string why = std::strerror(errno);
    unlink(made->path.c_str());
    RemoveDirectory(options_.directory);
    return GoPrivate(fmt::format("{}: {}", made->path, why));
  }
  file_ = made->path;
  made_ = OpenFile::Of(info);
  backed_ = true;
} catch (...) {
}

void Writer::WriteHeader() noexcept {
  Header& header = *new (base_) Header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.header_bytes = sizeof(Header);
  header.byte_order = kByteOrder;
  header.accumulator_bytes = sizeof(Accumulator);
  header.identity = ThisProcess();
  header.identity.inode = file_.empty() ? 0 : made_.inode;
  header.born = ReadClocks();
  header.ticks_are_ns = TicksAreNs() ? 1 : 0;
  header.latest[0] = header.born;
  header.checksum = header.Checksum();
  used_.store(sizeof(Header));
  header.end.store(sizeof(Header), std::memory_order_release);
}

bool Writer::Complete() const { return !file_.empty() && private_from_.load() == 0; }

// --- blocks -----------------------------------------------------------------------------------

// With the lock held. The block exists and is zero; readers do not see it before Publish().
BlockHeader* Writer::Begin(Kind kind, uint32_t a, uint32_t b, size_t bytes) noexcept {
  const size_t total = sizeof(BlockHeader) + Padded(bytes);
  if (total < bytes) return nullptr;
  if (used_.load() + total > mapped_ && !Grow(total)) return nullptr;
  auto* block = new (base_ + used_.load()) BlockHeader{};
  block->magic = kBlockMagic;
  block->kind = kind;
  block->bytes = bytes;
  block->a = a;
  block->b = b;
  return block;
}

void Writer::Publish(BlockHeader* block) noexcept {
  block->checksum = block->Checksum();
  const size_t end = used_.load() + sizeof(BlockHeader) + Padded(block->bytes);
  used_.store(end, std::memory_order_release);
  WriteTime();
  if (private_from_.load() == 0) header()->end.store(end, std::memory_order_release);
}

// With the lock held.
void Writer::WriteTime() noexcept {
  Header& head = *header();
  const uint32_t sequence = head.latest_sequence.load(std::memory_order_relaxed) + 1;
  head.latest[sequence & 1] = ReadClocks();
  head.latest_sequence.store(sequence, std::memory_order_release);
}

void Writer::NoteTime() noexcept {
  const std::lock_guard lock(mutex_);
  WriteTime();
}

void* Writer::Allocate(Kind kind, uint32_t a, uint32_t b, size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  BlockHeader* block = Begin(kind, a, b, bytes);
  if (block == nullptr) return nullptr;
  Publish(block);
  return block + 1;
}

bool Writer::Append(Kind kind, uint32_t a, uint32_t b, std::string_view content) noexcept {
  const std::lock_guard lock(mutex_);
  BlockHeader* block = Begin(kind, a, b, content.size());
  if (block == nullptr) return false;
  content.copy(reinterpret_cast<char*>(block + 1), content.size());  // of no bytes, too
  block->content_sum = HashOf(content);
  Publish(block);
  return true;
}

bool Writer::AppendPath(uint32_t path, const PathNode& node, std::string_view name) noexcept try {
  const PathRecord record = {node.parent,
                             node.name,
                             static_cast<uint32_t>(node.kind),
                             node.line,
                             node.openmp_threads,
                             static_cast<uint32_t>(name.size()),
                             static_cast<uint32_t>(node.file.size())};
  std::string content(reinterpret_cast<const char*>(&record), sizeof record);
  content.append(name).append(node.file);
  return Append(Kind::kPath, path, 0, content);
} catch (...) {
  return false;
}

// --- growth -----------------------------------------------------------------------------------

bool Writer::Grow(size_t missing) noexcept {
  const auto chunk = [this](size_t at_least) {
    const size_t usual = std::clamp(mapped_, kFirstChunk, kLargestChunk);
    return std::max(usual, (at_least + kFirstChunk - 1) / kFirstChunk * kFirstChunk);
  };
  size_t bytes = chunk(missing - std::min(missing, mapped_ - used_.load()));
  if (backed_ && mapped_ + bytes <= range_ && MapFile(bytes)) return true;
  if (!file_.empty() && private_from_.load() == 0) {
    // A block lies in the file or outside of it, never half.
    bytes = chunk(missing);
    private_from_.store(mapped_);
    header()->private_from.store(mapped_, std::memory_order_release);
    used_.store(mapped_);
  }
  return mapped_ + bytes <= range_ && MapPrivate(bytes);
}

int Writer::Reopen() noexcept {
  const OpenDirectory place = place_.Open();
  if (place.descriptor < 0) return -1;
  const int fd =
      MoveAbove(openat(place.descriptor, BaseName(file_), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (fd < 0) return -1;
  if (OpenFile::Of(fd) == made_) return fd;
  close(fd);
  errno = ENOENT;
  return -1;
}

// The file is opened for each chunk anew: a descriptor that stayed open could be closed by an
// application that closes all of them, and its number be given to a file of its own.
bool Writer::MapFile(size_t bytes) noexcept {
  int error = EFBIG;
  const int fd = Reopen();
  if (fd < 0) error = errno;
  if (fd >= 0 && WithinFileLimit(mapped_ + bytes)) {
    do {
      error = options_.allocate(fd, static_cast<off_t>(mapped_), static_cast<off_t>(bytes));
    } while (error == EINTR);
    if (error == 0 && mmap(base_ + mapped_, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                           fd, static_cast<off_t>(mapped_)) == MAP_FAILED) {
      error = errno;
    }
    // What was had of a chunk that does not fit belongs to the application.
    [[maybe_unused]] const int cut = error == 0 ? 0 : ftruncate(fd, static_cast<off_t>(mapped_));
  }
  if (fd >= 0) close(fd);
  if (error == 0) {
    mapped_ += bytes;
    return true;
  }
  try {
    GoPrivate(fmt::format("{}: {}", file_, std::strerror(error)));
  } catch (...) {
    backed_ = false;
  }
  return false;
}

bool Writer::MapPrivate(size_t bytes) noexcept {
  if (mmap(base_ + mapped_, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
           static_cast<off_t>(0)) == MAP_FAILED) {
    return false;
  }
  mapped_ += bytes;
  return true;
}

void Writer::GoPrivate(const std::string& why) noexcept try {
  backed_ = false;
  if (removed_.load()) return;
  // Without a header in it the file says nothing.
  if (mapped_ == 0 && !file_.empty()) {
    RemoveFile();
    file_.clear();
  }
  Complain(message::kSpoolFailed, mapped_ == 0 ? "made" : "extended", why);
} catch (...) {
}

// --- copies and the end -----------------------------------------------------------------------

namespace {

void CopyAccumulators(const BlockHeader& block, char* into) {
  const auto* live = reinterpret_cast<const Accumulator*>(&block + 1);
  for (size_t i = 0; i < block.bytes / sizeof(Accumulator); ++i) {
    Accumulator copy;
    CopyAccumulator(live[i], copy);
    std::memcpy(into + i * sizeof copy, &copy, sizeof copy);
  }
}

void CopyCounts(const BlockHeader& block, char* into) {
  const size_t columns = block.a, row_bytes = roof_kept_row_bytes(columns);
  std::vector<uint64_t> copy(row_bytes / sizeof(uint64_t));
  for (size_t i = 0; i < block.b; ++i) {
    const auto* live = reinterpret_cast<const char*>(&block + 1) + i * row_bytes;
    counts::CopyRow(*reinterpret_cast<const roof_kept_row*>(live), columns,
                    *reinterpret_cast<roof_kept_row*>(copy.data()));
    std::memcpy(into + i * row_bytes, copy.data(), row_bytes);
  }
}

}  // namespace

std::string Writer::Freeze() const {
  const size_t end = used_.load(std::memory_order_acquire);
  std::string text(sizeof(Header), '\0');
  for (size_t at = sizeof(Header); at < end;) {
    const auto* block = reinterpret_cast<const BlockHeader*>(base_ + at);
    if (block->magic != kBlockMagic) {
      // The rest of the file's last chunk was too small for what came next.
      if (at >= private_from_.load()) break;
      at = private_from_.load();
      continue;
    }
    const size_t bytes = sizeof(BlockHeader) + Padded(block->bytes);
    const size_t into = text.size();
    text.append(base_ + at, bytes);
    char* copies = text.data() + into + sizeof(BlockHeader);
    if (block->kind == Kind::kAccumulators) CopyAccumulators(*block, copies);
    if (block->kind == Kind::kCounts) CopyCounts(*block, copies);
    at += bytes;
  }
  Header head{};
  const Header& live = *header();
  std::memcpy(static_cast<void*>(&head), &live, offsetof(Header, end));
  head.frozen_unix_s = static_cast<uint64_t>(time(nullptr));
  head.end.store(text.size());
  head.latest[0] = ReadClocks();
  std::memcpy(text.data(), &head, sizeof head);
  head.frozen_sum = HashOf(std::string_view(text).substr(offsetof(Header, end)));
  head.checksum = head.Checksum();
  std::memcpy(text.data(), &head, sizeof head);
  return text;
}

void Writer::Remove() noexcept {
  if (!removed_.exchange(true) && !file_.empty()) RemoveFile();
}

void Writer::RemoveFile() noexcept {
  const OpenDirectory place = place_.Open();
  unlinkat(place.descriptor, BaseName(file_), 0);
  RemoveDirectory(options_.directory);
}

void Writer::DetachInChild() noexcept {
  removed_ = true;
  backed_ = false;
  if (mapped_ != 0) {
    // Where the kernel refuses, the child keeps the parent's pages, and nothing better can be done.
    static_cast<void>(mmap(base_, mapped_, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0));
  }
}

}  // namespace roofmark::spool
