// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/buffer.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "lib/core/file.h"

namespace roofmark {
namespace {

// "Name:   1234 kB" in a /proc file; negative if it is not there.
double KilobytesOf(const std::string& text, const std::string& name) {
  const size_t at = text.find("\n" + name + ":");
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + name.size() + 2);
}

}  // namespace

Buffer::Buffer(size_t bytes, Pages pages) {
  mapped_ = bytes + kHugePage;
  void* mapping =
      mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapped_ = 0;
    return;
  }
  mapping_ = mapping;
  const auto address = reinterpret_cast<uintptr_t>(mapping);
  data_ = static_cast<char*>(mapping) + (kHugePage - address % kHugePage) % kHugePage;
  size_ = bytes;
  // A wish: the figures' note says what came of it.
  if (pages == Pages::kUsual) return;
  const int advice = pages == Pages::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
  static_cast<void>(madvise(mapping_, mapped_, advice));
}

Buffer::~Buffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

bool HugePagesAreHad() {
  // Enough to be seen beside those that there are already.
  constexpr size_t kPages = 4;
  const auto huge = [] {
    const auto text = ReadFile("/proc/self/smaps_rollup");
    return text ? KilobytesOf(*text, "AnonHugePages") : -1;
  };
  const double before = huge();
  const Buffer buffer(kPages * Buffer::kHugePage);
  if (before < 0 || buffer.data() == nullptr) return false;
  for (size_t i = 0; i < kPages; ++i) {
    *static_cast<volatile char*>(buffer.data() + i * Buffer::kHugePage) = 1;
  }
  return huge() - before >= kPages * static_cast<double>(Buffer::kHugePage >> 10);
}

double HugePageShare() {
  const auto text = ReadFile("/proc/self/smaps_rollup");
  if (!text) return -1;
  const double huge = KilobytesOf(*text, "AnonHugePages"), all = KilobytesOf(*text, "Anonymous");
  return huge < 0 || all <= 0 ? -1 : huge / all;
}

}  // namespace roofmark
