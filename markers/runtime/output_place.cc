// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/output_place.h"

#include <fmt/format.h>

#include <utility>

#include "lib/core/directory.h"
#include "lib/core/file_name.h"
#include "lib/core/log.h"
#include "lib/core/messages/recording.h"

namespace roofmark::runtime {
namespace {

// "a/b/c" -> "a/b/"; "a/" -> ""; "/a" -> "/".
std::string Parent(const std::string& path) {
  const size_t end = path.find_last_not_of('/');
  const size_t slash = end == std::string::npos ? end : path.rfind('/', end);
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

}  // namespace

void OutputPlace::Keep(const std::string& pattern) {
  if (const auto descriptor = DescriptorNamed(pattern)) {
    stream_.emplace(*descriptor);
    return;
  }
  if (pattern.find('%') == std::string::npos) literal_ = pattern;
  const std::string fixed = pattern.substr(0, pattern.find('%'));
  const size_t slash = fixed.rfind('/');
  beginning_ = slash == std::string::npos ? "" : fixed.substr(0, slash + 1);
  while (!directory_.Keep(beginning_.empty() ? "." : beginning_) && !beginning_.empty()) {
    beginning_ = Parent(beginning_);
  }
}

Result<FilePath> OutputPlace::Find(const std::string& name) {
  if (stream_) {
    if (!DescriptorNamed(name)) {
      return Error{fmt::format("cannot write {}: it would stand beside a stream", name)};
    }
    if (!stream_->IsOpen()) {
      return Error{fmt::format("cannot write {}: the program closed it", name)};
    }
    return OfUser(name);
  }
  FilePath path(name);
  path.is_users = name == literal_;
  if (!directory_.kept()) return path;
  path.skip = beginning_.size();
  OpenDirectory open = directory_.Open();
  path.directory = open.descriptor;
  path.held = std::move(open.held);
  if (path.directory >= 0) return path;
  return Error{
      fmt::format("cannot write {}: the descriptor of {} was closed, by the program or because few "
                  "files may be open, and no such directory can be seen any more",
                  name, directory_.name())};
}

std::string OutputPlace::NameFor(const std::string& name) const {
  const bool relative = name.rfind('/', 0) != 0 && directory_.kept();
  if (!relative || directory_.Is(beginning_.empty() ? "." : beginning_)) return name;
  return fmt::format("{}/{}", directory_.name(), name.substr(beginning_.size()));
}

std::string WriteSomewhere(OutputPlace& place, const std::string& name, const std::string& text) {
  const Result<FilePath> file = place.Find(name);
  Result<std::string> written =
      file ? WriteFile(*file, text, IfExists::kRename) : Error{file.error()};
  if (!written) {
    Complain(message::kNotWritten, written.error());
    written = WriteNewFile(TemporaryDirectory(), std::string(FileName(name)), text);
    if (!written) {
      PassOn(written.error());
      return {};
    }
  } else if (*written != name) {
    Note(fmt::format("{} exists already and was kept", name));
  }
  Note(fmt::format("wrote {}", *written));
  return *written;
}

}  // namespace roofmark::runtime
