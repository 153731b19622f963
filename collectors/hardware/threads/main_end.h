// SPDX-License-Identifier: BSD-3-Clause
//
// A program whose main thread leaves by pthread_exit ends, with status 0, when its last thread
// does. Threads of roofmark are threads to libc, which would wait for them for ever.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_MAIN_END_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_MAIN_END_H_

namespace roofmark::threads {

// On the main thread (does nothing on others): if it ends before the process does, a thread of
// roofmark calls exit(0) once no thread but those of roofmark is left.
void EndWithTheProgram() noexcept;

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_MAIN_END_H_
