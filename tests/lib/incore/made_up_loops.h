// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops that nobody executed: a triad in vectors with its remainder, a gather and a chain.
#ifndef ROOFMARK_TESTS_LIB_INCORE_MADE_UP_LOOPS_H_
#define ROOFMARK_TESTS_LIB_INCORE_MADE_UP_LOOPS_H_

#include <initializer_list>
#include <string>

#include "lib/profile/hot_loops.h"

namespace roofmark::test {

inline std::string Code(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

// vmovupd ymm0, [rsi+rax]; vfmadd213pd ymm0, ymm1, [rdx+rax]; add rax, 0x20; cmp rax, rcx;
// jnz 0x100
inline HotLoop VectorLoop() {
  HotLoop loop;
  loop.module = "/home/ann/app";
  loop.function = "triad";
  loop.name = "triad.c:12 in triad()";
  loop.file = "/home/ann/triad.c";
  loop.line = 12;
  loop.header = 0x100;
  loop.entries = 1000;
  loop.iterations = 5000;
  loop.cpu_ns = 60'000'000;
  loop.instructions = 25'000;
  loop.uses = {{"solve/triad", 60'000'000, 25'000}};
  loop.blocks = {{0x100,
                  Code({0xc5, 0xfd, 0x10, 0x04, 0x06, 0xc4, 0xe2, 0xf5, 0xa8, 0x04,
                        0x02, 0x48, 0x83, 0xc0, 0x20, 0x48, 0x39, 0xc8, 0x75, 0xec}),
                  5000,
                  60'000'000,
                  {{0, "/home/ann/triad.c", 13}, {11, "/home/ann/triad.c", 12}}}};
  return loop;
}

// vmovsd xmm0, [rsi+rax]; vfmadd213sd xmm0, xmm1, [rdx+rax], once for each entry
inline HotLoop Remainder() {
  HotLoop code = VectorLoop();
  code.name = "triad()";
  code.header.reset();
  code.entries = code.iterations = 0;
  code.cpu_ns = 20'000'000;
  code.instructions = 2'000;
  code.uses = {{"solve", 20'000'000, 2'000}};
  code.blocks = {{0x180,
                  Code({0xc5, 0xfb, 0x10, 0x04, 0x06, 0xc4, 0xe2, 0xf1, 0xa9, 0x04, 0x02}),
                  1000,
                  20'000'000,
                  {{0, "/home/ann/triad.c", 13}}}};
  return code;
}

// vgatherdpd ymm0, [rbx+xmm2*8], ymm1; jnz 0x200
inline HotLoop GatherLoop() {
  HotLoop loop = VectorLoop();
  loop.function = "pick";
  loop.name = "pick.c:5 in pick()";
  loop.file = "/home/ann/pick.c";
  loop.line = 5;
  loop.header = 0x200;
  loop.cpu_ns = 15'000'000;
  loop.uses = {{"solve/pick", 10'000'000, 8'000}, {"", 5'000'000, 4'000}};
  loop.blocks = {{0x200,
                  Code({0xc4, 0xe2, 0xf5, 0x92, 0x04, 0xd3, 0x75, 0xf8}),
                  5000,
                  15'000'000,
                  {{0, "/home/ann/pick.c", 6}}}};
  return loop;
}

inline HotLoops MadeUpLoops() {
  HotLoops hot;
  hot.timed = true;
  hot.cpu_ns = 100'000'000;
  hot.instructions = 50'000;
  hot.cpu_vendor = "AuthenticAMD";
  hot.cpu_family = 25;
  hot.cpu_model = 17;
  hot.loops = {VectorLoop(), Remainder(), GatherLoop()};
  return hot;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_INCORE_MADE_UP_LOOPS_H_
