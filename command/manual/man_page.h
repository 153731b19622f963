// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_MANUAL_MAN_PAGE_H_
#define ROOFMARK_COMMAND_MANUAL_MAN_PAGE_H_

#include <string>
#include <vector>

#include "command/manual/page.h"

namespace roofmark::cli {

// roofmark(1), which lists `pages`, or roofmark-NAME(1) of one of them, in the language of man(7).
std::string ManPage(const CommandPage& page, const std::vector<CommandPage>& pages,
                    const std::string& version);
// roofmark-settings(7): every variable that the library reads.
std::string SettingsManPage(const std::string& version);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MANUAL_MAN_PAGE_H_
