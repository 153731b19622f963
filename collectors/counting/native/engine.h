// SPDX-License-Identifier: BSD-3-Clause
//
// The native engine as the library sees it: it executes the program's regions in the process
// itself, translated, by a plug-in.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_ENGINE_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_ENGINE_H_

#include <memory>
#include <string>

#include "collectors/counting/engine.h"

namespace roofmark::counting {

// Loads the plug-in. Returned: empty, or why the engine does not count here.
std::string LoadNativeEngine(const Settings& settings, const std::string& library_path);

// Open() fails unless LoadNativeEngine was called.
std::unique_ptr<Engine> MakeNativeEngine();

// Why the settings ask for what this engine has not; empty: they do not.
std::string WhyNotNative(const Settings& settings);

// What is in no region is counted, too: asked for, or nests are looked for wherever the program is.
bool NativeCountsOutside(const Settings& settings);

// One cache line in so many is modelled: ROOFMARK_SAMPLE; left to `auto`, which takes fewer.
uint32_t LinesToSample(const Settings& settings);

// For whoever follows the threads of the program; nothing happens before Open().
void NativeThreadBegan() noexcept;
void NativeThreadEnded() noexcept;
// Before Open().
void SetNativeThreadQuestions(const ThreadQuestions& questions) noexcept;

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_ENGINE_H_
