// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <new>

#include "command/commands.h"
#include "command/output.h"
#include "lib/core/messages/command.h"
#include "lib/core/own_stack.h"

namespace roofmark::cli {
namespace {

int Execute(int argc, char** argv) {
  CommandLine line(kAbout, ROOFMARK_VERSION_TEXT);
  AddCommands(line);
  return line.Parse(argc, argv);
}

// What no subcommand foresaw ends this one with a message and a status, not with a signal.
int ExecuteGuarded(int argc, char** argv) try {
  return Execute(argc, argv);
} catch (const std::bad_alloc&) {
  Say(message::kNotEnoughMemory);
  return kFailure;
} catch (const std::exception& error) {
  PassOn(error.what());
  return kFailure;
}

}  // namespace
}  // namespace roofmark::cli

int main(int argc, char** argv) {
  using namespace roofmark::cli;
  TakeStreams();
  int status = kFailure;
  const auto execute = [&]() noexcept { status = ExecuteGuarded(argc, argv); };
  // `ulimit -s 512`: what holds a profile takes more.
  constexpr size_t kEnough = 4 << 20;
  roofmark::OwnStack stack(kEnough, roofmark::OwnStack::Signals::kCome);
  stack.Exists() ? stack.Call(execute) : execute();
  return FinishOutput(status);
}
