// SPDX-License-Identifier: BSD-3-Clause
#include "command/kept_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace roofmark::cli {
namespace {

// A program that reads nothing should find as much as possible left for others: the pipe is a page
// until the program has read some of them.
constexpr int kSmallPipe = 4096, kLargePipe = 1 << 20;
constexpr uint64_t kEnlargeAfter = 64 << 10;
constexpr size_t kMostAtOnce = 64 << 10;

int Close(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  return descriptor = -1;
}

// Where the user wants temporary files, else in memory.
int OpenNameless() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  int file = -1;
  if (!error) file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  return file >= 0 ? file : memfd_create("standard input", MFD_CLOEXEC);
}

}  // namespace

std::shared_ptr<KeptInput> KeptInput::OfThisProcess() {
  struct stat input;
  if (fstat(STDIN_FILENO, &input) != 0) return nullptr;
  const bool is_file = S_ISREG(input.st_mode);
  if (!is_file && !S_ISFIFO(input.st_mode) && !S_ISSOCK(input.st_mode)) return nullptr;
  std::shared_ptr<KeptInput> kept(new KeptInput(is_file));
  if (is_file) kept->start_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  return kept;
}

KeptInput::~KeptInput() { CloseAll(); }

void KeptInput::CloseAll() {
  for (int* descriptor : {&kept_in_, &given_, &to_first_, &stop_[0], &stop_[1]}) Close(*descriptor);
}

int KeptInput::Begin() {
  ++executions_;
  if (is_file_) {
    if (executions_ > 1 && start_ >= 0) lseek(STDIN_FILENO, start_, SEEK_SET);
    return -1;
  }
  if (executions_ == 1) return BeginFirst();
  // Opened anew it has a place of its own.
  const std::string name = fmt::format("/proc/self/fd/{}", kept_in_);
  return given_ = kept_in_ < 0 ? -1 : open(name.c_str(), O_RDONLY | O_CLOEXEC);
}

int KeptInput::BeginFirst() {
  if (MakeFile() && MakePipe()) return given_;
  error_ = errno;
  CloseAll();
  return -1;
}

bool KeptInput::MakeFile() { return (kept_in_ = OpenNameless()) >= 0; }

bool KeptInput::MakePipe() {
  int ends[2];
  if (pipe2(stop_, O_CLOEXEC) != 0 || pipe2(ends, O_CLOEXEC) != 0) return false;
  given_ = ends[0];
  to_first_ = ends[1];
  fcntl(to_first_, F_SETPIPE_SZ, kSmallPipe);
  return fcntl(to_first_, F_SETFL, O_NONBLOCK) == 0;
}

void KeptInput::Started() {
  if (to_first_ < 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pump_ = std::thread(&KeptInput::Pump, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// False: there is nothing more to do.
bool KeptInput::WaitFor(int descriptor, short events) const {
  pollfd waiting[] = {{descriptor, events, 0}, {stop_[0], POLLIN, 0}};
  while (poll(waiting, 2, -1) < 0) {
    if (errno != EINTR) return false;
  }
  return waiting[1].revents == 0;
}

void KeptInput::Keep(const char* bytes, size_t count) {
  while (count > 0 && error_ == 0) {
    const ssize_t written = write(kept_in_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = written < 0 ? errno : ENOSPC;
      return;
    }
    bytes += written;
    count -= static_cast<size_t>(written);
    kept_ += static_cast<uint64_t>(written);
  }
}

bool KeptInput::PassOn(const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(to_first_, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= static_cast<size_t>(written);
      passed_ += static_cast<uint64_t>(written);
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      return false;
    } else if (!WaitFor(to_first_, POLLOUT)) {
      return false;
    }
  }
  return true;
}

// Nothing is read before the program has room for it.
void KeptInput::Pump() {
  char bytes[kMostAtOnce];
  bool is_large = false;
  while (WaitFor(to_first_, POLLOUT) && WaitFor(STDIN_FILENO, POLLIN)) {
    const size_t most = is_large ? sizeof bytes : static_cast<size_t>(kSmallPipe);
    const ssize_t count = read(STDIN_FILENO, bytes, most);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) {
      Close(to_first_);  // its end
      return;
    }
    Keep(bytes, static_cast<size_t>(count));
    if (!PassOn(bytes, static_cast<size_t>(count))) return;
    if (!is_large && passed_ >= kEnlargeAfter) {
      is_large = true;
      fcntl(to_first_, F_SETPIPE_SZ, kLargePipe);
    }
  }
}

uint64_t KeptInput::End() {
  uint64_t lost = 0;
  if (pump_.joinable()) {
    Close(stop_[1]);  // seen as POLLHUP
    pump_.join();
    lost = EndFirst();
  }
  Close(given_);
  return lost;
}

// The reader has ended, so that what is in the pipe stays there.
uint64_t KeptInput::EndFirst() {
  int left = 0;
  const bool known = ioctl(given_, FIONREAD, &left) == 0;
  Close(to_first_);
  Close(stop_[0]);
  if (!known || error_ != 0) return 0;
  const uint64_t read = passed_ - static_cast<uint64_t>(left), unread = kept_ - read;
  return unread == 0 || PutBack(unread) || read > 0 ? 0 : unread;
}

// The last `count` bytes that were kept, before what is still in the pipe; while somebody may write
// to that, their order could become another one.
bool KeptInput::PutBack(uint64_t count) const {
  pollfd source = {STDIN_FILENO, POLLIN, 0};
  if (poll(&source, 1, 0) < 0 || (source.revents & POLLHUP) == 0) return false;
  const int back = open("/proc/self/fd/0", O_WRONLY | O_NONBLOCK | O_CLOEXEC);  // not of a socket
  if (back < 0) return false;
  int behind = 0;
  bool done = ioctl(STDIN_FILENO, FIONREAD, &behind) == 0 &&
              static_cast<int64_t>(count) + behind <= fcntl(back, F_GETPIPE_SZ);
  if (done) {
    std::string bytes(count + static_cast<size_t>(behind), '\0');
    done = pread(kept_in_, bytes.data(), count, static_cast<off_t>(kept_ - count)) ==
               static_cast<ssize_t>(count) &&
           read(STDIN_FILENO, bytes.data() + count, static_cast<size_t>(behind)) == behind &&
           write(back, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  close(back);
  return done;
}

}  // namespace roofmark::cli
