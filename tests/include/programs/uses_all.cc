// SPDX-License-Identifier: BSD-3-Clause
//
// Every macro, function and type of roofmark.hpp. Ends with 0 if recording is off.
#include <roofmark/roofmark.hpp>

namespace {

int evaluated = 0;

int Count() { return ++evaluated; }

int Function(int argument) {
  ROOF_FUNCTION;
  ROOF_REGION_SCOPE("inner");
  if (argument > 0) return 1;
  return 0;
}

void Own() {
  static roofmark_site site = ROOFMARK_SITE_("site");
  const roofmark::Region region(site);
  roofmark_site_begin(&site, -1);
  roofmark_site_work(&site, 1, 2);
  roofmark_site_operations(&site, 3);
  roofmark_site_end(&site);
}

}  // namespace

int main() {
  const int updates = 3;
  ROOF_REGION_BEGIN("macros");
  ROOF_REGION_WORK(Count(), 8.0 * Count());
  ROOF_REGION_OPERATIONS("updates", updates);
  ROOF_REGION_END("macros");
  roofmark_begin("functions");
  roofmark_work(1, 2);
  roofmark_operations("updates", 3);
  roofmark_end("functions");
  roofmark_pause();
  roofmark_resume();
  Own();
  return roofmark_active() + Function(0) + (Function(1) - 1) + (roofmark_version()[0] == '\0') +
         evaluated;
}
