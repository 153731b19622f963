// SPDX-License-Identifier: BSD-3-Clause
//
// The name of the file that a long execution writes at its end, taken before it.
#ifndef ROOFMARK_COMMAND_RESERVATION_H_
#define ROOFMARK_COMMAND_RESERVATION_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "lib/core/result.h"

namespace roofmark::cli {

class Reservation {
 public:
  // `path`, or the next free name with a number before its extension. With `replace` it is `path`,
  // and what is there stays until Write. "-" is standard output.
  static Result<Reservation> Of(const std::string& path, bool replace);
  Reservation(Reservation&& other) noexcept;
  // Frees the name if nothing was written.
  ~Reservation();

  const std::string& path() const { return path_; }
  // Replaces nothing but the reservation: if another file has the name by now, this one gets a
  // number. Returns the name.
  Result<std::string> Write(std::string_view text);

 private:
  Reservation(std::string path, bool replace);
  bool IsMine() const;

  std::string path_;
  bool replace_ = false;
  // Of the empty file; 0 if there is none.
  dev_t device_ = 0;
  ino_t file_ = 0;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RESERVATION_H_
