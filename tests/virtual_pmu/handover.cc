// SPDX-License-Identifier: BSD-3-Clause
//
// The owner of a package's counter hands it to another program by a message and forgets it. Run
// with "neighbour FD" it is that program. Run with "alone N" it counts N events of its own, while
// others that share the state start.
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "virtual_pmu.h"

namespace {

constexpr uint64_t kReads = 0xf04, kInstructions = 0xc0;

int OpenController() {
  perf_event_attr attr{};
  std::ifstream("/sys/bus/event_source/devices/uncore_imc_7/type") >> attr.type;
  attr.size = sizeof(attr);
  attr.config = kReads;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 4, -1, 0));
}

struct Message {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  Message() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
  }
};

void Send(int socket, int fd) {
  Message message;
  cmsghdr* header = CMSG_FIRSTHDR(&message.header);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &fd, sizeof(fd));
  if (sendmsg(socket, &message.header, 0) != 1) exit(3);
}

int Receive(int socket) {
  Message message;
  if (recvmsg(socket, &message.header, 0) != 1) exit(4);
  const cmsghdr* header = CMSG_FIRSTHDR(&message.header);
  if (header == nullptr) exit(6);
  int fd = -1;
  memcpy(&fd, CMSG_DATA(header), sizeof(fd));
  return fd;
}

unsigned long Value(int fd) {
  uint64_t value = 0;
  if (read(fd, &value, sizeof(value)) != sizeof(value)) exit(5);
  return value;
}

int Neighbour(int socket) {
  const int fd = Receive(socket);
  const unsigned long before = Value(fd);
  printf("neighbour reads %lu\n", before);
  vpmu_device(1, "uncore_imc_7", kReads, 222);
  printf("neighbour sees %lu more\n", Value(fd) - before);
  fflush(stdout);
  Send(socket, fd);
  return 0;
}

int Alone(unsigned long n) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_RAW;
  attr.size = sizeof(attr);
  attr.config = kInstructions;
  const int fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
  usleep(20'000);
  vpmu_retire(0, kInstructions, n);
  return Value(fd) == n ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[1], "alone") == 0) return Alone(strtoul(argv[2], nullptr, 10));
  if (argc > 2) return Neighbour(atoi(argv[2]));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  const int fd = OpenController();
  vpmu_device(1, "uncore_imc_7", kReads, 111);
  vpmu_device(0, "uncore_imc_7", kReads, 5);
  Send(ends[0], fd);
  close(fd);  // the event lives in the message
  const pid_t child = fork();
  if (child == 0) {
    const std::string socket = std::to_string(ends[1]);
    execl("/proc/self/exe", argv[0], "neighbour", socket.c_str(), nullptr);
    _exit(1);
  }
  close(ends[1]);
  int status = 0;
  waitpid(child, &status, 0);
  const int returned = Receive(ends[0]);
  vpmu_device(1, "uncore_imc_7", kReads, 1000);
  printf("owner reads %lu after the neighbour has gone\n", Value(returned));
  close(returned);
  vpmu_statistics left;
  vpmu_get_statistics(&left);
  printf("events %lu\n", static_cast<unsigned long>(left.events));
  return status;
}
