// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/handover.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "collectors/hardware/package/remote_reader.h"
#include "collectors/hardware/package/segment.h"
#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/descriptor.h"

namespace roofmark::package {
namespace {

struct Message {
  uint32_t groups = 0;
  uint32_t read_by_owner = 0;  // events, by number
  uint32_t event[kMostPassed];
  GroupPass pass[kMostPassed];

  std::vector<GroupPass> Passes() const { return {pass, pass + groups}; }
};

constexpr size_t SizeOfMessage(size_t groups) {
  return offsetof(Message, pass) + groups * sizeof(GroupPass);
}

socklen_t AddressOf(const std::string& job, uint32_t package, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  // Abstract: the name begins with a zero byte and lives in no file system.
  const std::string name = fmt::format("roofmark/{}/package{}/{}", geteuid(), package, job);
  const size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

constexpr uint64_t kHandoverPatienceNs = 2'000'000'000;

bool IsOurPeer(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

// accept(2) takes its descriptor before it looks at who waits; the application may free one later.
bool IsExhaustion(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

// Whoever ends the server cannot wake it where the program closed the socket.
constexpr int kLookAgainMs = 1000;

constexpr timespec kUntilTriedAgain{0, 20'000'000};

union Control {
  cmsghdr align;
  char bytes[CMSG_SPACE(kMostPassed * sizeof(int))];
};

bool Send(int socket, const Message& message, const std::vector<EventDescriptor>& descriptors) {
  iovec part{const_cast<Message*>(&message), SizeOfMessage(message.groups)};
  Control control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes;
    header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    unsigned char* next = CMSG_DATA(rights);
    for (const EventDescriptor& event : descriptors) {
      const int number = event.number();
      std::memcpy(next, &number, sizeof number);
      next += sizeof number;
    }
  }
  return sendmsg(socket, &header, MSG_NOSIGNAL) == static_cast<ssize_t>(part.iov_len);
}

// Descriptors that came are the caller's, whatever else is wrong.
bool Receive(int socket, Message& message, std::vector<int>& descriptors) {
  iovec part{&message, sizeof message};
  Control control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  const ssize_t got = DespiteSignals([&] { return recvmsg(socket, &header, MSG_CMSG_CLOEXEC); },
                                     kHandoverPatienceNs);
  for (cmsghdr* each = CMSG_FIRSTHDR(&header); got > 0 && each != nullptr;
       each = CMSG_NXTHDR(&header, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    descriptors.resize(count);
    std::memcpy(descriptors.data(), CMSG_DATA(each), count * sizeof(int));
    for (int& descriptor : descriptors) descriptor = MoveOutOfTheWay(descriptor);
  }
  return got >= static_cast<ssize_t>(SizeOfMessage(0)) && message.groups <= kMostPassed &&
         got == static_cast<ssize_t>(SizeOfMessage(message.groups));
}

// Another version of roofmark may be at the other end.
bool MakesSense(const Message& message, size_t descriptors, size_t events) {
  size_t sum = 0;
  for (const GroupPass& pass : message.Passes()) {
    if (pass.count == 0 || pass.count > pass.events.size()) return false;
    sum += pass.count;
    if (std::any_of(pass.events.begin(), pass.events.begin() + pass.count,
                    [&](uint32_t event) { return event >= events; })) {
      return false;
    }
  }
  if (message.read_by_owner > kMostPassed || sum + message.read_by_owner == 0) return false;
  return sum == descriptors && std::all_of(message.event, message.event + message.read_by_owner,
                                           [&](uint32_t event) { return event < events; });
}

}  // namespace

bool Server::Start(const std::string& job, uint32_t package, const Controllers& controllers) {
  passes_ = controllers.Passes();
  descriptors_ = controllers.Descriptors();
  reader_ = controllers.reader();
  const size_t read_here = reader_ == nullptr ? 0 : reader_->Events().size();
  if (descriptors_.size() > kMostPassed || read_here > kMostPassed) return false;
  // Packets: a message arrives whole, with its descriptors.
  listener_ = KnownDescriptor(MoveOutOfTheWay(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)));
  const int listener = listener_.number();
  if (listener < 0) return false;
  sockaddr_un address;
  const socklen_t size = AddressOf(job, package, address);
  constexpr int kQueue = 1024;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, kQueue) != 0) {
    return false;
  }
  if (reader_ != nullptr) connections_.reserve(kMostMembers);
  running_ = threads::CreateUncounted(&thread_, &Server::Run, this);
  return running_;
}

Server::~Server() {
  ending_ = true;
  if (listener_.IsOpen()) shutdown(listener_.number(), SHUT_RDWR);  // wakes the thread
  if (running_) pthread_join(thread_, nullptr);
  listener_.Close();
  for (KnownDescriptor& connection : connections_) connection.Close();
}

void Server::ForgetInChild() noexcept {
  running_ = false;
  listener_.Close();
  listener_ = {};
}

void* Server::Run(void* self) {
  static_cast<Server*>(self)->Serve();
  return nullptr;
}

void Server::Serve() noexcept try {
  std::vector<pollfd> waiting;
  for (;;) {
    waiting.assign(1, {listener_.number(), POLLIN, 0});
    for (const KnownDescriptor& connection : connections_) {
      waiting.push_back({connection.number(), POLLIN, 0});
    }
    const int ready = poll(waiting.data(), waiting.size(), kLookAgainMs);
    if (ready < 0 && errno != EINTR && errno != ENOMEM) return;
    if (!listener_.IsOpen()) return;  // the program closed it
    for (size_t i = waiting.size(); i-- > 1;) {
      KnownDescriptor& connection = connections_[i - 1];
      if (waiting[i].revents == 0) continue;
      if (connection.IsOpen() && AnswerReading(connection.number(), *reader_)) continue;
      connection.Close();
      connections_.erase(connections_.begin() + static_cast<ptrdiff_t>(i - 1));
    }
    if (waiting[0].revents != 0 && !Accept()) return;
  }
} catch (const std::bad_alloc&) {
}

// False: the end.
bool Server::Accept() noexcept {
  const int connection = accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) {
    const bool exhausted = IsExhaustion(errno);
    if (ending_ || (!exhausted && errno != EINTR && errno != ECONNABORTED)) return false;
    if (exhausted) nanosleep(&kUntilTriedAgain, nullptr);
    return true;
  }
  // No element ever moves to another place: a forked child may come at any time.
  const bool room = connections_.size() < connections_.capacity();
  if (IsOurPeer(connection) && Answer(connection) && reader_ != nullptr && room) {
    connections_.emplace_back(MoveOutOfTheWay(connection));
  } else {
    close(connection);
  }
  return !ending_;
}

bool Server::Answer(int connection) const noexcept {
  LimitPatience(connection, kHandoverPatienceNs);
  Message message;
  message.groups = static_cast<uint32_t>(passes_.size());
  std::copy(passes_.begin(), passes_.end(), message.pass);
  if (reader_ != nullptr) {
    const std::vector<uint32_t>& events = reader_->Events();
    message.read_by_owner = static_cast<uint32_t>(events.size());
    std::copy(events.begin(), events.end(), message.event);
  }
  if (!AllAreOpen(descriptors_)) return false;  // they may be the program's files by now
  return Send(connection, message, descriptors_);
}

Result<Controllers> AskOwner(const std::string& job, uint32_t package, size_t events, size_t budget,
                             std::atomic<uint32_t>& silent) {
  if (events > budget) return Error{perf::ExplainDevice(EMFILE).reason};
  const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (connection < 0) return Error{"no file descriptor is left to ask for the package's counters"};
  LimitPatience(connection, kHandoverPatienceNs);
  sockaddr_un address;
  const socklen_t size = AddressOf(job, package, address);
  Message message;
  std::vector<int> descriptors;
  const int connected = DespiteSignals(
      [&] { return connect(connection, reinterpret_cast<sockaddr*>(&address), size); },
      kHandoverPatienceNs);
  const bool got =
      connected == 0 && IsOurPeer(connection) && Receive(connection, message, descriptors);
  if (got && MakesSense(message, descriptors.size(), events)) {
    const std::vector<uint32_t> others(message.event, message.event + message.read_by_owner);
    std::shared_ptr<Reader> reader;
    if (others.empty()) {
      close(connection);
    } else {
      reader = std::make_shared<RemoteReader>(MoveOutOfTheWay(connection), others, silent);
    }
    return Controllers::Adopt(message.Passes(), descriptors, std::move(reader));
  }
  close(connection);
  for (const int descriptor : descriptors) close(descriptor);
  return Error{fmt::format("the process that reads the controllers of package {} {}", package,
                           got ? "sent something unexpected" : "does not answer")};
}

}  // namespace roofmark::package
