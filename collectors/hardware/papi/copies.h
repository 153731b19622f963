// SPDX-License-Identifier: BSD-3-Clause
//
// Descriptors in great numbers for few system calls.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_COPIES_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_COPIES_H_

#include <cstddef>
#include <vector>

namespace roofmark::papi {

// Copies of one file under the lowest free numbers, all of them close-on-exec. The kernel makes
// them when they are sent to this process over a socket. Where it refuses that (an old sandbox, too
// many on their way for one user) they are made one by one.
class Copies {
 public:
  // Takes numbers for the file and two ends of a socket. They are appended to `numbers`, and the
  // caller closes them with the copies. None: no number is free.
  explicit Copies(std::vector<int>& numbers);
  // Appends `count` copies. False if there were fewer.
  bool Append(size_t count, std::vector<int>& numbers);

 private:
  bool Send(size_t count) noexcept;
  size_t Receive(std::vector<int>& numbers);

  int file_ = -1;
  int sockets_[2] = {-1, -1};
};

// Closes them all and sorts them. One system call for each range of numbers.
void CloseAll(std::vector<int>& numbers) noexcept;

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_COPIES_H_
