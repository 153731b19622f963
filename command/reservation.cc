// SPDX-License-Identifier: BSD-3-Clause
#include "command/reservation.h"

#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "command/output.h"
#include "lib/core/descriptor.h"
#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

constexpr int kEnding[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

// The keeper of the reservation that a signal gives up; only what a handler may use.
struct {
  volatile sig_atomic_t held = -1;
  pid_t process = 0;
  char path[PATH_MAX] = "";
} g_given_up;

// The name still is that of the empty file.
bool IsEmptyFile(int held, const char* path) {
  struct stat named;
  return held >= 0 && stat(path, &named) == 0 && named.st_size == 0 &&
         OpenFile::Of(held) == OpenFile::Of(named);
}

void GiveUp(int signal) {
  const bool ours = g_given_up.process == getpid();
  if (ours && IsEmptyFile(g_given_up.held, g_given_up.path)) unlink(g_given_up.path);
  raise(signal);  // as if nobody had caught it
}

// Signals that would end this process anyway.
void GiveUpOnSignals(const std::string& path, int held) {
  if (path.size() >= sizeof g_given_up.path) return;
  path.copy(g_given_up.path, path.size());
  g_given_up.path[path.size()] = '\0';
  g_given_up.process = getpid();
  g_given_up.held = held;
  struct sigaction ours = {}, present;
  ours.sa_handler = &GiveUp;
  ours.sa_flags = SA_RESETHAND;
  for (const int signal : kEnding) {
    const bool ends = sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_DFL;
    if (ends) sigaction(signal, &ours, nullptr);
  }
}

// While it lives, none of those signals comes: a name that is taken is also one that is given up.
class EndingSignalsWait {
 public:
  EndingSignalsWait() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : kEnding) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~EndingSignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  EndingSignalsWait(const EndingSignalsWait&) = delete;
  EndingSignalsWait& operator=(const EndingSignalsWait&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Result<Reservation> Reservation::Of(const FilePath& path, bool replace) {
  if (path.shown == "-") return Reservation({path.shown, {}}, path.is_users, replace);
  const EndingSignalsWait wait;
  Result<ReservedName> name = Reserve(path, replace ? IfExists::kReplace : IfExists::kRename);
  if (!name) return Error{name.error()};
  return Reservation(std::move(*name), path.is_users, replace);
}

Reservation::Reservation(ReservedName name, bool is_users, bool replace)
    : name_(std::move(name)), is_users_(is_users), replace_(replace) {
  if (name_.held >= 0) GiveUpOnSignals(name_.keeper, name_.held);
}

Reservation::Reservation(Reservation&& other) noexcept
    : name_(std::move(other.name_)), is_users_(other.is_users_), replace_(other.replace_) {
  other.name_.held = -1;
}

Reservation::~Reservation() {
  if (name_.held < 0) return;
  g_given_up.held = -1;
  if (IsEmptyFile(name_.held, name_.keeper.c_str())) unlink(name_.keeper.c_str());
  close(name_.held);
}

Result<std::string> Reservation::Write(std::string_view text) {
  if (path() != "-") {
    FilePath file(path());
    file.is_users = is_users_;
    return WriteFile(file, text, replace_ ? IfExists::kReplace : IfExists::kRename);
  }
  Print(text);
  if (FlushOutput()) return path();
  return Error{"standard output did not take the file"};
}

}  // namespace roofmark::cli
