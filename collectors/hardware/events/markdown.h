// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_MARKDOWN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_MARKDOWN_H_

#include <string>

namespace roofmark::events {

// docs/events.md: the whole table for readers.
std::string EventsMarkdown();

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_MARKDOWN_H_
