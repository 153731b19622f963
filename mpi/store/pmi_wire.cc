// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/store/pmi_wire.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "mpi/store/key_store.h"

namespace roofmark::mpi {
namespace {

constexpr size_t kLongestLine = 64 << 10;

// The answer to a request; nothing if the launcher is gone.
std::optional<std::string> Ask(int socket, const std::string& request) {
  std::string answer;
  if (!PmiWrite(socket, request) || !PmiReadLine(socket, answer)) return std::nullopt;
  return answer;
}

// "cmd=put_result rc=0 msg=success", say. Of a key that is missing `rc` is -1.
bool Succeeded(const std::optional<std::string>& answer, std::string_view command) {
  return answer && PmiWord(*answer, "cmd") == command && PmiWord(*answer, "rc") == "0";
}

}  // namespace

std::optional<std::string_view> PmiWord(std::string_view line, std::string_view key) {
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    const size_t equals = word.find('=');
    if (equals != std::string_view::npos && word.substr(0, equals) == key) {
      return word.substr(equals + 1);
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return std::nullopt;
}

bool PmiWrite(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool PmiReadLine(int socket, std::string& line) {
  line.clear();
  while (line.size() < kLongestLine) {
    char byte = 0;
    const ssize_t got = recv(socket, &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (byte == '\n') return true;
    line += byte;
  }
  return false;
}

std::string PmiKey(uint32_t rank) { return fmt::format("{}-{}", kPresenceKey, rank); }

bool PmiPut(int socket, std::string_view space, std::string_view key) {
  return Succeeded(Ask(socket, fmt::format("cmd=put kvsname={} key={} value=1\n", space, key)),
                   "put_result");
}

bool PmiHas(int socket, std::string_view space, std::string_view key) {
  return Succeeded(Ask(socket, fmt::format("cmd=get kvsname={} key={}\n", space, key)),
                   "get_result");
}

std::string PmiSpace(int socket) {
  const std::optional<std::string> answer = Ask(socket, "cmd=get_my_kvsname\n");
  if (!answer || PmiWord(*answer, "cmd") != "my_kvsname") return "";
  return std::string(PmiWord(*answer, "kvsname").value_or(""));
}

}  // namespace roofmark::mpi
