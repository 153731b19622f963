// SPDX-License-Identifier: BSD-3-Clause
//
// In place of Caliper's library: it numbers attributes, and prints at the end how many ranges began
// and ended. Like Caliper's, its functions call each other.
#include "tests/markers/adapters/abi/caliper.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>

extern "C" {

using cali_id_t = uint64_t;
cali_id_t cali_function_attr_id = ~cali_id_t{0};
cali_id_t cali_loop_attr_id = ~cali_id_t{0};

void cali_begin_string(cali_id_t attribute, const char* value);
void cali_end(cali_id_t attribute);
}

namespace {

std::mutex g_mutex;
std::map<std::string, cali_id_t>& Ids() {
  static auto& ids = *new std::map<std::string, cali_id_t>;
  return ids;
}

cali_id_t IdOf(const char* name) {
  const std::lock_guard lock(g_mutex);
  return Ids().try_emplace(name, 100 + Ids().size()).first->second;
}

std::atomic<int> g_begins, g_ends;
struct AtEnd {
  ~AtEnd() { std::printf("%d begins, %d ends\n", g_begins.load(), g_ends.load()); }
} g_at_end;

}  // namespace

extern "C" {

void cali_init() {
  cali_function_attr_id = IdOf("function");
  cali_loop_attr_id = IdOf("loop");
}
cali_id_t cali_create_attribute(const char* name, int, int) { return IdOf(name); }
cali_id_t cali_find_attribute(const char* name) { return IdOf(name); }
cali_id_t cali_make_loop_iteration_attribute(const char* name) {
  return IdOf((std::string("iteration#") + name).c_str());
}
void cali_begin_string(cali_id_t, const char*) { ++g_begins; }
void cali_begin_int(cali_id_t, int) { ++g_begins; }
void cali_begin_double(cali_id_t, double) { ++g_begins; }
void cali_begin(cali_id_t) { ++g_begins; }
void cali_end(cali_id_t) { ++g_ends; }
void cali_safe_end_string(cali_id_t attribute, const char*) { cali_end(attribute); }
void cali_begin_region(const char* name) { cali_begin_string(1, name); }
void cali_end_region(const char*) { cali_end(1); }
void cali_begin_phase(const char* name) { cali_begin_string(2, name); }
void cali_end_phase(const char*) { cali_end(2); }
void cali_begin_comm_region(const char* name) { cali_begin_string(3, name); }
void cali_end_comm_region(const char*) { cali_end(3); }
void cali_begin_byname(const char* name) { cali_begin_string(IdOf(name), ""); }
void cali_begin_string_byname(const char* name, const char* value) {
  cali_begin_string(IdOf(name), value);
}
void cali_begin_int_byname(const char*, int) { ++g_begins; }
void cali_begin_double_byname(const char*, double) { ++g_begins; }
void cali_end_byname(const char* name) { cali_end(IdOf(name)); }
}

namespace cali {

struct Loop::Impl {
  bool open;
};

Function::Function(const char* name) { cali_begin_region(name); }
Function::~Function() { cali_end(1); }
ScopeAnnotation::ScopeAnnotation(const char* name) { cali_begin_region(name); }
ScopeAnnotation::~ScopeAnnotation() { cali_end(1); }
Loop::Loop(const char* name) : pI(new Impl{true}) { cali_begin_string(2, name); }
Loop::~Loop() {
  end();
  delete pI;
}
void Loop::end() {
  if (pI->open) cali_end(2);
  pI->open = false;
}

}  // namespace cali
