// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_progress.h"

#include <fmt/format.h>

#include "lib/core/clock.h"

namespace roofmark::cli {

void StreamProgress::Update(double share, double seconds_left, std::string_view what) {
  constexpr uint64_t kRenewNs = 100'000'000;
  constexpr int kBar = 24;
  if (terminal_) {
    const uint64_t now = NowNs();
    if (drawn_ && now - last_ns_ < kRenewNs) return;
    last_ns_ = now;
    drawn_ = true;
    const int full = static_cast<int>(share * kBar);
    const auto line = fmt::format("\r[{:#<{}}{:<{}}] {:3.0f} %, at most {:3.0f} s left  {:<30.30}",
                                  "", full, "", kBar - full, 100 * share, seconds_left, what);
    std::fputs(line.c_str(), out_);
    std::fflush(out_);
    return;
  }
  if (share >= 1 || share < next_quarter_ / 4.0) return;
  next_quarter_ = static_cast<int>(share * 4);
  const auto line = fmt::format("roofmark: measuring: {} %, at most {:.0f} s left\n",
                                25 * next_quarter_++, seconds_left);
  std::fputs(line.c_str(), out_);
}

void StreamProgress::Finish() {
  if (!drawn_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
}

}  // namespace roofmark::cli
