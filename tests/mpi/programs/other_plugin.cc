// SPDX-License-Identifier: BSD-3-Clause
//
// A plug-in that was built with another version of roofmark.
#include "mpi/plugin.h"

using roofmark::mpi::kPluginVersion;
using roofmark::mpi::Plugin;

extern "C" __attribute__((visibility("default"))) const Plugin* roofmark_mpi_plugin() {
  static Plugin plugin = {};
  plugin.version = kPluginVersion + 1;
  return &plugin;
}
