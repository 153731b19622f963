// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/debug_file.h"

namespace roofmark::binary {
namespace {

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

Error NotKnown(const std::string& path, const std::string& why) {
  return Error{"the source lines of " + path + " are not known: " + why};
}

}  // namespace

Result<DebugFile> DebugFile::Open(const std::string& path) {
  DebugFile file;
  file.session_ = std::shared_ptr<Dwfl>(dwfl_begin(&kCallbacks), &dwfl_end);
  if (!file.session_) return NotKnown(path, dwfl_errmsg(-1));
  // At the addresses that the linker gave.
  Dwfl_Module* module =
      dwfl_report_elf(file.session_.get(), path.c_str(), path.c_str(), -1, 0, true);
  if (module == nullptr || dwfl_report_end(file.session_.get(), nullptr, nullptr) != 0) {
    return NotKnown(path, dwfl_errmsg(-1));
  }
  file.dwarf_ = dwfl_module_getdwarf(module, &file.bias_);
  if (file.dwarf_ == nullptr) {
    return NotKnown(path,
                    "no debug information was found; compile with -g, or install the package with "
                    "the debug information");
  }
  const char* main = nullptr;
  const char* debug = nullptr;
  dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, &main, &debug);
  if (debug != nullptr && (main == nullptr || std::string(main) != debug)) file.path_ = debug;
  return file;
}

}  // namespace roofmark::binary
