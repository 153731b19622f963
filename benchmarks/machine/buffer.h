// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for the memory kernels: fresh pages, aligned to and asked for as huge pages, so that the
// figures are those of the memory and not of the TLB; or small ones, for figures of both.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_BUFFER_H_
#define ROOFMARK_BENCHMARKS_MACHINE_BUFFER_H_

#include <cstddef>

namespace roofmark {

// kUsual: as programs get them that ask for nothing.
enum class Pages { kHuge, kSmall, kUsual };

// Nothing touches the memory before its first write: a page then goes to the NUMA node of the
// thread that writes.
class Buffer {
 public:
  static constexpr size_t kHugePage = size_t{2} << 20;

  Buffer() = default;
  // Empty (data() == nullptr) if there is no memory.
  explicit Buffer(size_t bytes, Pages pages = Pages::kHuge);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
};

// Whether a buffer that asks for huge pages gets them.
bool HugePagesAreHad();

// Share of this process's anonymous memory that lies in huge pages now, 0 to 1; negative if the
// kernel does not say.
double HugePageShare();

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_BUFFER_H_
