// SPDX-License-Identifier: BSD-3-Clause
#include "command/ended.h"

#include <fmt/format.h>
#include <signal.h>

namespace roofmark::cli {
namespace {

struct SignalName {
  int number;
  const char* name;
};

// sigabbrev_np() is younger than some of the C libraries that this is built with.
constexpr SignalName kSignalNames[] = {
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},       {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},     {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},     {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},     {SIGTERM, "SIGTERM"}, {SIGSTKFLT, "SIGSTKFLT"},
    {SIGCHLD, "SIGCHLD"}, {SIGCONT, "SIGCONT"},     {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"},
    {SIGTTIN, "SIGTTIN"}, {SIGTTOU, "SIGTTOU"},     {SIGURG, "SIGURG"},   {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"}, {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGWINCH, "SIGWINCH"},
    {SIGPOLL, "SIGPOLL"}, {SIGPWR, "SIGPWR"},       {SIGSYS, "SIGSYS"}};

std::string NameOfSignal(int number) {
  for (const SignalName& each : kSignalNames) {
    if (each.number == number) return each.name;
  }
  if (number == SIGRTMIN) return "SIGRTMIN";
  const bool is_real_time = number > SIGRTMIN && number <= SIGRTMAX;
  return is_real_time ? fmt::format("SIGRTMIN+{}", number - SIGRTMIN) : "";
}

}  // namespace

std::string EndedWith(int status) {
  constexpr int kSignals = 128;
  const std::string signal = NameOfSignal(status - kSignals);
  return signal.empty() ? fmt::format("ended with status {}", status)
                        : fmt::format("ended with status {} ({} + {})", status, kSignals, signal);
}

}  // namespace roofmark::cli
