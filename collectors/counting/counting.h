// SPDX-License-Identifier: BSD-3-Clause
//
// Exact FLOPs, the instruction mix and a modelled cache hierarchy, from a counting engine that is
// told which path each thread is in.
#ifndef ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_
#define ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_

#include <memory>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"

namespace roofmark {

// Sees to it that the chosen engine executes the program; one that re-executes does not return
// where it succeeds. Call it from a library constructor, in the only thread. `library_path` is
// libroofmark.so itself: what an engine needs is found relative to it, unless settings.tool_dir
// says where. A program that has the collector in itself gives its own path. Returned: empty if the
// engine counts here, else a sentence with the cure.
std::string StartEngine(const Settings& settings, const std::string& library_path);

// With the chosen engine. Open() fails in a process that it does not execute: see StartEngine().
std::unique_ptr<Collector> MakeCountingCollector();

// An engine in the process is told of threads, each time by the thread itself. FollowThreads():
// before Open().
void FollowThreads(const counting::ThreadQuestions& questions) noexcept;
bool EngineIsInProcess();  // the chosen one
void ThreadBegan() noexcept;
void ThreadEnded() noexcept;

namespace counting {

// Who takes what an engine offers beside counts; nullptr or empty: nobody. All outlive the
// collector.
struct Listeners {
  AccessSink* accesses = nullptr;
  uint32_t line_sampling = 1;
  WindowSink* windows = nullptr;
  WindowPlan window_plan = {};
  EventSink* events = nullptr;
};

// What the engine cannot give to a listener stands, with the reason, in the collector's Facts().
std::unique_ptr<Collector> MakeCollector(std::unique_ptr<Engine> engine,
                                         const Listeners& listeners);

}  // namespace counting
}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_
