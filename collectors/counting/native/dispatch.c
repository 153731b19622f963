/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a thread goes on whose way the translated code does not know. Runs on a stack of its own,
 * while vector registers hold the program's values: the build lets the compiler use general
 * registers alone here. roof_native_translate may use all of them, entry.c saves them first. */
#include "collectors/counting/native/system_call.h"
#include "collectors/counting/native/translator.h"

enum { kSpins = 200 };

static void yield(void) { roof_native_system_call(SYS_sched_yield, 0, 0, 0); }

int roof_native_is_given_up(const struct roof_native* native) {
  return __atomic_load_n(&native->given_up, __ATOMIC_ACQUIRE) != 0;
}
void roof_native_give_up(struct roof_native* native) {
  __atomic_store_n(&native->given_up, 1, __ATOMIC_RELEASE);
}

/* Who has it when the engine is given up may never return it. */
int roof_native_lock(struct roof_native* native) {
  unsigned spins = 0;
  while (__atomic_exchange_n(&native->locked, 1, __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&native->locked, __ATOMIC_RELAXED)) {
      if (roof_native_is_given_up(native)) return 0;
      __builtin_ia32_pause();
      if (++spins % kSpins == 0) yield();
    }
  }
  if (!roof_native_is_given_up(native)) return 1;
  roof_native_unlock(native);
  return 0;
}
void roof_native_unlock(struct roof_native* native) {
  __atomic_store_n(&native->locked, 0, __ATOMIC_RELEASE);
}
int roof_native_is_locked(const struct roof_native* native) {
  return __atomic_load_n(&native->locked, __ATOMIC_RELAXED) != 0;
}

static const void* leave(struct roof_native_area* area, unsigned reason) {
  ++area->exits[reason];
  area->left_at = area->pc;
  area->room->outside = 1;
  return (const void*)(uintptr_t)area->pc;
}

static int accepts(const struct roof_native_area* area, const uint8_t* code) {
  const struct roof_native_head* head = (const struct roof_native_head*)(const void*)code - 1;
  return (area->accepts & 1u << head->owner) != 0;
}

/* The jump that brought the thread here leads there from now on. A jump to code of another owner
 * comes here each time, so that the guide is asked. */
static void link_to(struct roof_native_area* area, const void** table, const uint8_t* code) {
  struct roof_native_emitter e = {.at = NULL};
  if (!area->linked) {
    if (accepts(area, code))
      __atomic_store_n(&table[roof_native_index(area->pc, area->version)], code, __ATOMIC_RELEASE);
  } else {
    roof_emit_distance(&e, area->linked->from, code + ROOF_PROLOGUE); /* unless out of reach */
  }
}

static int is_stop(const struct roof_native* native, uint64_t pc) {
  for (uint32_t i = 0; i < native->stops; ++i)
    if (native->stop[i] == pc) return 1;
  return 0;
}

/* Of a jump that is to be noted: whose it is; NULL: nobody's. */
static const struct roof_native_jump* who_jumps(struct roof_native_area* area) {
  const struct roof_native_jump* jump = area->jumped;
  struct roof_native_room* room = area->room;
  const int stays = area->pc - jump->base < jump->size;
  if (jump->kind == ROOF_NOTES_LINKAGE && stays) {
    room->looked_up = jump;
    return NULL;
  }
  if (jump->kind != ROOF_NOTES_SERVICE || stays) return jump;
  jump = room->looked_up;
  room->looked_up = NULL;
  return jump;
}

/* 0: there is another one in its place. */
static int note_jump(struct roof_native_area* area) {
  const struct roof_native_jump* jump = who_jumps(area);
  if (area->keeps_jumps && jump) {
    const uint64_t to = area->pc - jump->base;
    area->jumped = jump;
    struct roof_native_jumps* place = roof_native_place_of_jump(area);
    if (place->times && (place->jump != jump || place->to != to)) return 0;
    place->jump = jump;
    place->to = to;
    __atomic_store_n(&place->times, place->times + 1, __ATOMIC_RELEASE);
  }
  area->jumped = NULL;
  return 1;
}

/* As the code of a jump that is not noted finds it. */
static const void* look_up(const struct roof_native_area* area) {
  const struct roof_native_head* code = area->table[roof_native_index(area->pc, area->version)];
  const uint64_t key = roof_native_key(area->pc, area->version);
  return code[-1].minus_pc + key ? NULL : (const uint8_t*)code + ROOF_PROLOGUE;
}

/* 0: the crossing has to be followed. The thread is in another context of its area else, and goes
 * on at `code`, or NULL. */
static int cross_again(struct roof_native_area* area, const void** code) {
  const struct roof_native_guide* guide = &area->native->guide;
  struct roof_native_room* room = area->room;
  if (room->part_count == ROOF_NATIVE_PARTS) return 0;
  if (area->epoch != __atomic_load_n(&area->native->epoch, __ATOMIC_ACQUIRE)) return 0;
  const struct roof_native_part part = {area->context, area->position};
  if (!guide->cross_again(guide->cookie, area, area->crossed, code)) return 0;
  if (area->native->traced && area->context != part.context) room->parts[room->part_count++] = part;
  area->crossed = NULL;
  return 1;
}

const void* roof_native_find(struct roof_native_area* area) {
  struct roof_native* native = area->native;
  ++area->dispatches;
  if (roof_native_is_given_up(native)) return leave(area, ROOF_LEAVE_STRANGE_HANDLER);
  if (area->call || area->full) return NULL;
  if (area->jumped || area->crossed) {
    const void* known = NULL;
    if (area->jumped && !note_jump(area)) return NULL;
    if (area->crossed && !cross_again(area, &known)) return NULL;
    if (!known) known = look_up(area);
    if (known) return known;
  }
  if (is_stop(native, area->pc)) return leave(area, ROOF_LEAVE_STOP);
  if (area->epoch != __atomic_load_n(&native->epoch, __ATOMIC_ACQUIRE)) return NULL;
  if (!roof_native_lock(native)) return leave(area, ROOF_LEAVE_STRANGE_HANDLER);
  const uint8_t* code =
      roof_native_places_find(&native->places, roof_native_key(area->pc, area->version));
  if (code && !accepts(area, code)) code = NULL;
  if (code) link_to(area, (const void**)(uintptr_t)area->table, code);
  roof_native_unlock(native);
  return code ? code + ROOF_PROLOGUE : NULL;
}

static const uint8_t* translate(struct roof_native* native, uint64_t pc, uint64_t version) {
  const uint64_t key = roof_native_key(pc, version);
  const uint8_t* code = roof_native_places_find(&native->places, key);
  if (code) return code; /* meanwhile */
  roof_native_read_block(native, pc, (uint32_t)version);
  if (native->block.count == 0 && native->block.reason == ROOF_LEAVE_OUTSIDE &&
      native->guide.find) {
    const unsigned why_not = native->guide.find(native->guide.cookie, pc);
    if (why_not == ROOF_LEAVE_REASONS) {
      roof_native_read_block(native, pc, (uint32_t)version);
    } else {
      native->block.reason = why_not;
    }
  }
  if (native->block.count == 0) return NULL;
  native->block.reason = ROOF_LEAVE_NO_MEMORY;
  code = roof_native_translate_block(native);
  if (code && !roof_native_places_add(&native->places, &native->memory, key, code)) code = NULL;
  return code;
}

/* From here on the thread is in the other area, which becomes the dispatcher's as well. 0: it is
 * not, since the system call is not allowed. */
static int switch_to(struct roof_native_area* from, struct roof_native_area* to) {
  if (from == to) return 1;
  to->pc = from->pc;
  to->linked = from->linked;
  to->call = from->call;
  to->by_linkage = from->by_linkage;
  for (unsigned i = 0; i < 16; ++i) to->registers[i] = from->registers[i];
  to->position = to->room->trail;
  for (unsigned i = 0; i < 4; ++i) to->spill[i] = from->spill[i];
  return roof_native_set_gs(to) == 0;
}

static struct roof_native_area* choose_area(struct roof_native_area* area, uint32_t owner) {
  const struct roof_native_guide* guide = &area->native->guide;
  if (!guide->arrive) return area;
  return guide->arrive(guide->cookie, area, owner, area->registers[4]);
}

static const void* leave_locked(struct roof_native_area* area, unsigned reason) {
  const struct roof_native_guide* guide = &area->native->guide;
  if (guide->left && reason != ROOF_LEAVE_STOP) guide->left(guide->cookie, area, reason);
  return leave(area, reason);
}

/* Without a guide: calls that make threads or processes, return from signals, set gs, or change
 * code are not executed here. */
static int is_allowed_call(uint64_t number) {
  switch (number) {
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_rt_sigreturn:
    case SYS_clone:
    case SYS_fork:
    case SYS_vfork:
    case SYS_arch_prctl:
    case SYS_clone3:
      return 0;
    default:
      return 1;
  }
}

static const void* call(struct roof_native_area* area) {
  const struct roof_native_guide* guide = &area->native->guide;
  const uint64_t number = area->registers[0];
  const int makes =
      number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork;
  const int here =
      guide->system_call ? guide->system_call(guide->cookie, area) : is_allowed_call(number);
  if (!here) return leave_locked(area, ROOF_LEAVE_SYSTEM_CALL);
  return makes ? area->call->makes : area->call->code;
}

static void settle_jump(struct roof_native_area* area) {
  if (!area->jumped) return;
  roof_native_make_room_for_jump(area);
  note_jump(area);
}

/* Which area the thread is in, and which version of code it executes there, depend on whose code it
 * comes to. */
static const void* go_on(struct roof_native_area* area) {
  struct roof_native* native = area->native;
  const uint64_t version = area->version;
  settle_jump(area);
  if (is_stop(native, area->pc)) return leave(area, ROOF_LEAVE_STOP);
  const struct roof_native_module* module = roof_native_module_of(native, area->pc);
  if (!module) {
    if (!translate(native, area->pc, version)) return leave_locked(area, native->block.reason);
    module = roof_native_module_of(native, area->pc);
  }
  struct roof_native_area* next = choose_area(area, module->owner);
  if (!next) return leave_locked(area, ROOF_LEAVE_NO_MEMORY);
  if (!switch_to(area, next)) return leave_locked(area, ROOF_LEAVE_SANDBOX);
  const uint8_t* code = translate(native, next->pc, next->version);
  if (!code) return leave_locked(next, native->block.reason);
  const int stays = next->version == version;
  if (stays || !next->linked) link_to(next, (const void**)(uintptr_t)next->table, code);
  return code + ROOF_PROLOGUE;
}

static const void* begin(struct roof_native_area* area) {
  const uint8_t* code = translate(area->native, area->pc, area->version);
  if (!code) return leave_locked(area, area->native->block.reason);
  return code + ROOF_PROLOGUE + ROOF_BEGINNING;
}

static const void* cross(struct roof_native_area* area) {
  const struct roof_native_guide* guide = &area->native->guide;
  const struct roof_native_crossing* crossing = area->crossed;
  area->crossed = NULL;
  settle_jump(area);
  struct roof_native_area* next = guide->cross(guide->cookie, area, crossing);
  if (!next) return leave_locked(area, ROOF_LEAVE_NO_MEMORY);
  if (!switch_to(area, next)) return leave_locked(area, ROOF_LEAVE_SANDBOX);
  const void* to = crossing->kind == ROOF_CROSSES_BY_BEGIN ? begin(next) : go_on(next);
  if (next == area && crossing->pc && to != (const void*)(uintptr_t)next->pc)
    guide->led_to(guide->cookie, area, to);
  return to;
}

/* What it wrote down so far is of the context that it was in. */
static void end_part(struct roof_native_area* area, const struct roof_native_part* part) {
  struct roof_native_room* room = area->room;
  if (area->context != part->context && part->end != room->trail)
    room->parts[room->part_count++] = *part;
}

/* What a thread did until it waits, or goes to another area, is handed over at once. */
const void* roof_native_translate(struct roof_native_area* area) {
  struct roof_native* native = area->native;
  const struct roof_native_full* full = area->full;
  const int is_full = full || area->room->part_count == ROOF_NATIVE_PARTS;
  if (native->traced && (is_full || area->call || area->crossed)) roof_native_flush(area);
  area->full = NULL;
  if (full) area->rounds = ROOF_NATIVE_ROUNDS;
  if (full && !(native->guide.full && native->guide.full(native->guide.cookie, area)))
    return full->code;
  if (full) {
    area->pc = full->pc;
    area->linked = NULL;
    area->by_linkage = 0;
  }
  const struct roof_native_part part = {area->context, area->position};
  if (!roof_native_lock(native)) return leave(area, ROOF_LEAVE_STRANGE_HANDLER);
  const void* to = area->call ? call(area) : area->crossed ? cross(area) : go_on(area);
  roof_native_unlock(native);
  if (!native->traced) return to;
  if (roof_native_this_area() == area) {
    end_part(area, &part);
  } else {
    roof_native_flush(area);
  }
  return to;
}
