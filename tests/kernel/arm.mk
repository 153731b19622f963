# SPDX-License-Identifier: BSD-3-Clause
#
# make -f arm.mk CACHE=... ROOT=... (in a folder for the results): arm_test for AArch64, with the
# perf_event collector and all that it is made of. The sources of a folder are compiled together, as
# in the other builds (ROOFMARK_UNITY), but for fmt.cc, the body of a library.
prefix := $(if $(wildcard $(CACHE)/host/usr/bin/aarch64-linux-gnu-g++),$(CACHE)/host/usr/bin/)
sysroot := $(if $(prefix),--sysroot=$(CACHE)/host)
compiler := $(CCACHE) $(prefix)aarch64-linux-gnu-g++ $(sysroot) -std=c++20 -O0 -fPIC \
  -DROOFMARK_PLUGIN_FOLDER='"none"' -I$(ROOT) -I$(ROOT)/include -isystem $(CACHE)/arm64/usr/include -MMD -MP
parts := perf_event hardware hardware/* hardware/events/cpus
sources := $(foreach part,lib/core lib/counts $(parts:%=collectors/%),$(wildcard $(ROOT)/$(part)/*.cc))
alone := $(addprefix $(ROOT)/,lib/core/fmt.cc collectors/hardware/threads/thread_hook.cc tests/kernel/arm_test.cc)
folders := $(patsubst $(ROOT)/%/,%,$(sort $(dir $(sources))))
objects := $(folders:%=%/folder.o) $(alone:$(ROOT)/%.cc=%.o)

.SECONDEXPANSION:

arm_test: $(objects)
	$(prefix)aarch64-linux-gnu-g++ $(sysroot) -o $@ $^ -L$(CACHE)/arm64/usr/lib/aarch64-linux-gnu \
	  -lgtest -lgtest_main -l:libpfm.a -ldl -pthread -Wl,-z,now

%/folder.o: $$(wildcard $(ROOT)/$$*/*.cc)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(filter-out $(alone),$(wildcard $(ROOT)/$*/*.cc)) >$*/folder.cc
	$(compiler) -c $*/folder.cc -o $@

$(alone:$(ROOT)/%.cc=%.o): %.o: $(ROOT)/%.cc
	@mkdir -p $(@D)
	$(compiler) -c $< -o $@

-include $(objects:.o=.d)
