// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/store/pmi_store.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lib/core/descriptor.h"
#include "mpi/store/pmi_wire.h"

namespace roofmark::mpi {
namespace {

// Begins like a request of one line, as far as it is there.
bool IsRequest(std::string_view text) {
  constexpr std::string_view kBegin = "cmd=";
  const size_t compared = std::min(text.size(), kBegin.size());
  return compared > 0 && text.substr(0, compared) == kBegin.substr(0, compared);
}

bool IsStream(int socket) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

}  // namespace

std::unique_ptr<PmiStore> PmiStore::Start(int socket, uint32_t rank, StartThread* start) {
  if (!IsStream(socket)) return nullptr;
  std::unique_ptr<PmiStore> store(new PmiStore(socket, rank));
  return store->StandBetween(start) ? std::move(store) : nullptr;
}

bool PmiStore::StandBetween(StartThread* start) {
  std::array<int, 2> ends;
  launcher_ = fcntl(socket_, F_DUPFD_CLOEXEC, FirstOutOfTheWay());
  if (launcher_ < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return false;
  }
  library_ = MoveOutOfTheWay(ends[1]);
  const int flags = fcntl(socket_, F_GETFD);
  const bool stands = library_ >= 0 && flags >= 0 && dup2(ends[0], socket_) == socket_;
  close(ends[0]);
  if (!stands) return false;
  fcntl(socket_, F_SETFD, flags);
  running_ = start(&thread_, &Run, this);
  if (!running_) Initialised();
  return running_;
}

PmiStore::~PmiStore() {
  if (running_) Initialised();
  if (launcher_ >= 0) close(launcher_);
  if (library_ >= 0) close(library_);
}

// The MPI library waits for no answer any more, so nothing is under way.
void PmiStore::Initialised() {
  const int flags = fcntl(socket_, F_GETFD);
  dup2(launcher_, socket_);
  fcntl(socket_, F_SETFD, flags);
  if (running_) {
    shutdown(library_, SHUT_RDWR);  // for a forked child may have the other end still
    pthread_join(thread_, nullptr);
    running_ = false;
  }
}

bool PmiStore::IsThere(uint32_t rank) { return PmiHas(socket_, space_, PmiKey(rank)); }

void* PmiStore::Run(void* self) {
  static_cast<PmiStore*>(self)->HandOn();
  return nullptr;
}

// All signals are blocked on this thread, so no call is interrupted. If the launcher is gone, the
// library learns it.
void PmiStore::HandOn() try {
  std::array<char, 4096> data;
  std::array<pollfd, 2> ends = {pollfd{library_, POLLIN, 0}, pollfd{launcher_, POLLIN, 0}};
  for (;;) {
    if (poll(ends.data(), ends.size(), -1) < 0) continue;
    for (const pollfd& end : ends) {
      if (end.revents == 0) continue;
      const ssize_t got = recv(end.fd, data.data(), data.size(), 0);
      const std::string_view text(data.data(), got > 0 ? static_cast<size_t>(got) : 0);
      const bool handed_on = end.fd == library_ ? FromLibrary(text) : PmiWrite(library_, text);
      if (text.empty() || !handed_on) return (void)shutdown(library_, SHUT_RDWR);
    }
  }
} catch (...) {
  shutdown(library_, SHUT_RDWR);
}

// Until the fence, requests are handed on whole. What is none is of another protocol, or of a
// request of several lines: from there on all is handed on as it comes.
bool PmiStore::FromLibrary(std::string_view text) {
  line_ += text;
  while (!tried_ && IsRequest(line_)) {
    const size_t end = line_.find('\n');
    if (end == std::string::npos) return true;
    if (PmiWord({line_.data(), end}, "cmd") == "barrier_in") Announce();
    if (!PmiWrite(launcher_, {line_.data(), end + 1})) return false;
    line_.erase(0, end + 1);
  }
  if (line_.empty()) return true;
  tried_ = true;
  const bool written = PmiWrite(launcher_, line_);
  line_.clear();
  return written;
}

void PmiStore::Announce() {
  tried_ = true;
  space_ = PmiSpace(launcher_);
  announced_ = !space_.empty() && PmiPut(launcher_, space_, PmiKey(rank_));
}

}  // namespace roofmark::mpi
