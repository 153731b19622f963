// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/loops/trace.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace roofmark::test {
namespace {

using Kind = binary::Branch::Kind;

// Where the program is mapped.
loops::Block Mapping(pid_t child, const std::string& program) {
  std::ifstream maps("/proc/" + std::to_string(child) + "/maps");
  uint64_t begin = 0, last = 0;
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(program)) continue;
    uint64_t from = 0, to = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> from >> dash >> to;
    if (begin == 0) begin = from;
    last = to;
  }
  return {begin, static_cast<uint32_t>(last - begin), 0};
}

// Waits until the child has stopped by a signal.
bool Stopped(pid_t child, int signal) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == signal;
}

uint64_t NextInstruction(pid_t child) {
  user_regs_struct registers = {};
  return ptrace(PTRACE_GETREGS, child, nullptr, &registers) == 0 ? registers.rip : 0;
}

Result<std::vector<uint64_t>> Follow(pid_t child, const std::string& program) {
  if (!Stopped(child, SIGTRAP)) return Error{"a child cannot be traced on this machine"};
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  if (!Stopped(child, SIGTRAP)) return Error{"the program did not reach its first breakpoint"};
  const loops::Block mapping = Mapping(child, program);
  std::vector<uint64_t> path;
  for (uint64_t at = NextInstruction(child);;) {
    const bool inside = at - mapping.begin < mapping.bytes;
    if (inside || path.empty() || path.back() != loops::kElsewhere) {
      path.push_back(inside ? at - mapping.begin : loops::kElsewhere);
    }
    // The second breakpoint is not stepped over.
    if (inside && (ptrace(PTRACE_PEEKTEXT, child, at, nullptr) & 0xff) == 0xcc) break;
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0 || !Stopped(child, SIGTRAP)) {
      return Error{"single steps do not work on this machine"};
    }
    at = NextInstruction(child);
  }
  return path;
}

}  // namespace

Result<std::vector<uint64_t>> StepThrough(const std::string& program) {
  const pid_t child = fork();
  if (child < 0) return Error{std::string("fork: ") + std::strerror(errno)};
  if (child == 0) {
    setenv("OMP_NUM_THREADS", "1", 1);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(78);
  }
  auto path = Follow(child, program);
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return path;
}

Trace MakeTrace(const binary::Binary& file, const std::vector<uint64_t>& path, Blocks shape) {
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> blocks, edges;  // by begin and end; from and to
  std::map<uint64_t, binary::Branch> branches;
  const auto branch_at = [&](uint64_t offset) -> const binary::Branch& {
    const auto [known, added] = branches.try_emplace(offset);
    if (added) known->second = file.BranchAt(offset);
    return known->second;
  };
  uint64_t begin = loops::kElsewhere;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const uint64_t at = path[i], next = path[i + 1];
    if (at == loops::kElsewhere) {
      ++edges[{at, next}];
      continue;
    }
    if (begin == loops::kElsewhere) begin = at;
    const binary::Branch& branch = branch_at(at);
    if (branch.kind == Kind::kNone) continue;
    const uint64_t end = at + branch.bytes;
    if (shape == Blocks::kSuper && branch.kind == Kind::kConditional && next == end) continue;
    ++blocks[{begin, end}];
    ++edges[{at, next}];
    begin = loops::kElsewhere;
  }
  Trace trace;
  for (const auto& [extent, times] : blocks) {
    trace.blocks.push_back(
        {extent.first, static_cast<uint32_t>(extent.second - extent.first), times});
  }
  for (const auto& [ends, times] : edges) trace.edges.push_back({ends.first, ends.second, times});
  return trace;
}

}  // namespace roofmark::test
