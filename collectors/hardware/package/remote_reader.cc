// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/remote_reader.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace roofmark::package {
namespace {

constexpr uint64_t kAnswerPatienceNs = 500'000'000;

struct Question {
  uint64_t number;
};

// Its length says how many totals there are: none if they could not be read.
struct Reading {
  uint64_t number;
  threads::Total total[kMostPassed];
};

constexpr size_t SizeOfReading(size_t totals) {
  return offsetof(Reading, total) + totals * sizeof(threads::Total);
}

}  // namespace

void LimitPatience(int socket, uint64_t ns) {
  const timeval patience{static_cast<time_t>(ns / 1'000'000'000),
                         static_cast<suseconds_t>(ns % 1'000'000'000 / 1000)};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

RemoteReader::RemoteReader(int connection, std::vector<uint32_t> events,
                           std::atomic<uint32_t>& silent)
    : connection_(connection), events_(std::move(events)), silent_(silent) {
  LimitPatience(connection_.number(), kAnswerPatienceNs);
}

RemoteReader::~RemoteReader() { Close(); }

void RemoteReader::Close() noexcept {
  connection_.Close();
  connection_ = {};
}

bool RemoteReader::Read(threads::Total* totals) noexcept {
  if (!connection_.IsOpen() || silent_.load(std::memory_order_relaxed) != 0) return false;
  const Question question{++asked_};
  Reading reading;
  const ssize_t sent = DespiteSignals(
      [&] { return send(connection_.number(), &question, sizeof question, MSG_NOSIGNAL); },
      kAnswerPatienceNs);
  const ssize_t got =
      sent < 0
          ? sent
          : DespiteSignals([&] { return recv(connection_.number(), &reading, sizeof reading, 0); },
                           kAnswerPatienceNs);
  const bool answered = got >= static_cast<ssize_t>(SizeOfReading(0)) && reading.number == asked_;
  if (!answered) {
    // A late answer would be taken for the next one.
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) silent_ = 1;
    Close();
    return false;
  }
  if (got != static_cast<ssize_t>(SizeOfReading(events_.size()))) return false;
  std::copy_n(reading.total, events_.size(), totals);
  return true;
}

bool AnswerReading(int connection, Reader& reader) noexcept {
  Question question{};
  if (recv(connection, &question, sizeof question, MSG_DONTWAIT) != sizeof question) return false;
  Reading reading;
  reading.number = question.number;
  const size_t count = reader.Read(reading.total) ? reader.Events().size() : 0;
  const auto size = static_cast<ssize_t>(SizeOfReading(count));
  return send(connection, &reading, SizeOfReading(count), MSG_NOSIGNAL | MSG_DONTWAIT) == size;
}

}  // namespace roofmark::package
