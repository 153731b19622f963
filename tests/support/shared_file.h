// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_SHARED_FILE_H_
#define ROOFMARK_TESTS_SUPPORT_SHARED_FILE_H_

#include <cstddef>
#include <string>

namespace roofmark::test {

// Memory of zeros that a program shares with the test, and that stays as it is when the program is
// killed: the program maps the file.
class SharedFile {
 public:
  // Fails the test if there is none.
  SharedFile(const std::string& path, size_t bytes);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // Of a type that zeros are valid values of.
  template <typename T>
  T* As() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_;
  size_t bytes_;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_SHARED_FILE_H_
