// SPDX-License-Identifier: BSD-3-Clause
//
// The name of the file that a long execution writes at its end, taken before it. If a signal ends
// this command the name is free again; if it is killed the next one takes the name over.
#ifndef ROOFMARK_COMMAND_RESERVATION_H_
#define ROOFMARK_COMMAND_RESERVATION_H_

#include <string>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/result.h"

namespace roofmark::cli {

class Reservation {
 public:
  // `path`, or the next free name with a number before its extension. With `replace` it is `path`,
  // and what is there stays until Write. "-" is standard output.
  static Result<Reservation> Of(const FilePath& path, bool replace);
  Reservation(Reservation&& other) noexcept;
  // Frees the name.
  ~Reservation();

  const std::string& path() const { return name_.path; }
  // A command had the name that was killed before it wrote the file.
  bool was_left() const { return name_.was_left; }
  // If another file has the name by now, this one gets a number. Returns the name.
  Result<std::string> Write(std::string_view text);

 private:
  Reservation(ReservedName name, bool is_users, bool replace);

  ReservedName name_;
  bool is_users_ = false;  // see FilePath
  bool replace_ = false;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RESERVATION_H_
