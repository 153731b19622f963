// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/copies.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace roofmark::papi {
namespace {

constexpr size_t kMostInMessage = 253;  // the kernel's SCM_MAX_FD

// A message of one byte, and descriptors that go with it.
struct Message {
  explicit Message(size_t descriptors) noexcept {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(kMostInMessage * sizeof(int))] = {};
  msghdr header{};
};

// False where the kernel is older than this call (Linux 5.9), or a sandbox than the kernel.
bool CloseRange(int first, int last) noexcept {
#ifdef SYS_close_range
  return syscall(SYS_close_range, first, last, 0) == 0;
#else
  static_cast<void>(first), static_cast<void>(last);
  return false;
#endif
}

}  // namespace

Copies::Copies(std::vector<int>& numbers) : file_(open("/", O_PATH | O_CLOEXEC)) {
  if (file_ < 0) return;
  numbers.push_back(file_);
  // Packets: a message arrives whole, with its descriptors.
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets_) != 0) return;
  numbers.insert(numbers.end(), {sockets_[0], sockets_[1]});
}

bool Copies::Append(size_t count, std::vector<int>& numbers) {
  while (count > 0 && sockets_[0] >= 0) {
    const size_t sent = std::min(count, kMostInMessage);
    if (!Send(sent)) break;
    const size_t received = Receive(numbers);
    if (received < sent) return false;
    count -= sent;
  }
  for (; count > 0; --count) {
    const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return false;
    numbers.push_back(copy);
  }
  return true;
}

bool Copies::Send(size_t count) noexcept {
  Message message(count);
  cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(count * sizeof(int));
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(CMSG_DATA(rights) + i * sizeof(int), &file_, sizeof(int));
  }
  return sendmsg(sockets_[0], &message.header, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

// Fewer than were sent if there are no more numbers; the kernel drops the others.
size_t Copies::Receive(std::vector<int>& numbers) {
  Message message(kMostInMessage);
  if (recvmsg(sockets_[1], &message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1) return 0;
  const cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return 0;
  const size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (size_t i = 0; i < count; ++i) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(rights) + i * sizeof(int), sizeof(int));
    numbers.push_back(number);
  }
  return count;
}

void CloseAll(std::vector<int>& numbers) noexcept {
  std::sort(numbers.begin(), numbers.end());
  for (size_t first = 0; first < numbers.size();) {
    size_t end = first + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!CloseRange(numbers[first], numbers[end - 1])) {
      for (size_t i = first; i < end; ++i) close(numbers[i]);
    }
    first = end;
  }
}

}  // namespace roofmark::papi
