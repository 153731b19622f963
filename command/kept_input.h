// SPDX-License-Identifier: BSD-3-Clause
//
// What a command reads from its standard input, for the executions after the first: they would meet
// its end. A file is read again from where it stood. What comes through a pipe or a socket is kept,
// while the first execution reads it, in a file that has no name.
#ifndef ROOFMARK_COMMAND_KEPT_INPUT_H_
#define ROOFMARK_COMMAND_KEPT_INPUT_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

namespace roofmark::cli {

class KeptInput {
 public:
  // Of descriptor 0. nullptr: it is none, a terminal, or a device, which every execution reads
  // itself.
  static std::shared_ptr<KeptInput> OfThisProcess();
  ~KeptInput();
  KeptInput(const KeptInput&) = delete;
  KeptInput& operator=(const KeptInput&) = delete;

  // Before each execution: the descriptor that is its standard input, or -1: 0 is. It is closed by
  // End().
  int Begin();
  // The program has been started.
  void Started();
  // It has ended. What the first execution left in a pipe is put back, for whoever reads that next
  // (a shell's `while read`). Returned: bytes for which that cannot be done, where the program read
  // none at all.
  uint64_t End();

  // Why only the first KeptBytes() are kept (errno), told once; 0: everything is.
  int TakeError() { return std::exchange(error_, 0); }
  uint64_t KeptBytes() const { return kept_; }

 private:
  explicit KeptInput(bool is_file) : is_file_(is_file) {}
  int BeginFirst();
  bool MakePipe();
  bool MakeFile();
  void Pump();
  bool WaitFor(int descriptor, short events) const;
  bool PassOn(const char* bytes, size_t count);
  void Keep(const char* bytes, size_t count);
  uint64_t EndFirst();
  bool PutBack(uint64_t count) const;
  void CloseAll();

  const bool is_file_;
  off_t start_ = 0;  // of a file
  uint32_t executions_ = 0;
  int kept_in_ = -1;   // the file without a name
  int given_ = -1;     // to the execution that is now
  int to_first_ = -1;  // the end of its pipe that is written to
  int stop_[2] = {-1, -1};
  std::thread pump_;
  uint64_t kept_ = 0, passed_ = 0;
  int error_ = 0;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_KEPT_INPUT_H_
