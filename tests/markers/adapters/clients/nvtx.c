/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvtx [hostile]: a program with NVTX's ranges of all kinds, which prints what they return. */
#include <nvtx3/nvToolsExt.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static nvtxEventAttributes_t Ascii(const char* text) {
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = text;
  return event;
}

static void Ranges(void) {
  nvtxRangePushA("outer");
  nvtxRangePushW(L"wide \u00e9");
  nvtxRangePop();
  const nvtxRangeId_t id = nvtxRangeStartA("started");
  nvtxRangeEnd(id);
  nvtxEventAttributes_t event = Ascii("attributes");
  for (int i = 0; i < 3; ++i) {
    nvtxRangePushEx(&event);
    nvtxRangePop();
  }
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("solver");
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  nvtxDomainRangePushEx(domain, &event);
  const nvtxRangeId_t inner = nvtxDomainRangeStartEx(domain, &event);
  nvtxDomainRangeEnd(domain, inner);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
  nvtxMarkA("a mark is no range");
  nvtxRangePop();
#pragma omp parallel num_threads(2)
  {
    nvtxRangePushA("worker");
    nvtxRangePop();
  }
}

static void DoEverythingWrong(void) {
  nvtxRangePop();
  nvtxRangeEnd(12345);
  nvtxRangeEnd(~0ull);
  nvtxRangePushA(NULL);
  nvtxRangePop();
  nvtxRangePushEx(NULL);
  nvtxRangePop();
  nvtxEventAttributes_t event = Ascii("too short");
  event.size = 8;
  nvtxRangePushEx(&event);
  nvtxRangePop();
  int something = 0;
  event = Ascii("");
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = (nvtxStringHandle_t)(void*)&something;
  nvtxRangePushEx(&event);
  nvtxRangePop();
  static char name[5000];
  static wchar_t wide[5000];
  for (size_t i = 0; i + 1 < sizeof name; ++i) {
    name[i] = 'n';
    wide[i] = 0x1F600;
  }
  nvtxRangePushA(name);
  nvtxRangePushW(wide);
  nvtxRangePop();
  nvtxRangePop();
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("overlaps");
  const nvtxEventAttributes_t other = Ascii("other domain");
  nvtxRangePushA("first");
  nvtxDomainRangePushEx(domain, &other);
  nvtxRangePop();
  nvtxDomainRangePop(domain);
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 1000; ++i) nvtxRangePushA("deep");
    for (int i = 0; i < 1100; ++i) nvtxRangePop();
    nvtxRangePushA("crowd");
    nvtxRangePop();
  }
  nvtxRangePushA("left open");
}

int main(int argc, char** argv) {
  argc > 1 && strcmp(argv[1], "hostile") == 0 ? DoEverythingWrong() : Ranges();
  puts("done");
  return 0;
}
