// SPDX-License-Identifier: BSD-3-Clause
#include "command/reservation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "command/output.h"
#include "lib/core/file.h"

namespace roofmark::cli {

Result<Reservation> Reservation::Of(const std::string& path, bool replace) {
  if (path == "-") return Reservation(path, replace);
  Result<std::string> name = Reserve(path, replace ? IfExists::kReplace : IfExists::kRename);
  if (!name) return Error{name.error()};
  return Reservation(std::move(*name), replace);
}

Reservation::Reservation(std::string path, bool replace)
    : path_(std::move(path)), replace_(replace) {
  struct stat info;
  if (replace_ || path_ == "-" || stat(path_.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
  device_ = info.st_dev;
  file_ = info.st_ino;
}

Reservation::Reservation(Reservation&& other) noexcept
    : path_(std::move(other.path_)),
      replace_(other.replace_),
      device_(other.device_),
      file_(std::exchange(other.file_, 0)) {}

Reservation::~Reservation() {
  if (IsMine()) unlink(path_.c_str());
}

bool Reservation::IsMine() const {
  struct stat info;
  return file_ != 0 && stat(path_.c_str(), &info) == 0 && info.st_dev == device_ &&
         info.st_ino == file_ && info.st_size == 0;
}

Result<std::string> Reservation::Write(std::string_view text) {
  if (path_ != "-") {
    return WriteFile(path_, text, replace_ || IsMine() ? IfExists::kReplace : IfExists::kRename);
  }
  Print(text);
  if (FlushOutput()) return path_;
  return Error{"standard output did not take the file"};
}

}  // namespace roofmark::cli
