# SPDX-License-Identifier: BSD-3-Clause
#
# make -f arm.mk CACHE=... ROOT=... (in a folder for the results): arm_test for AArch64, with the
# perf_event collector and all that it is made of.
prefix := $(if $(wildcard $(CACHE)/host/usr/bin/aarch64-linux-gnu-g++),$(CACHE)/host/usr/bin/)
sysroot := $(if $(prefix),--sysroot=$(CACHE)/host)
compiler := $(CCACHE) $(prefix)aarch64-linux-gnu-g++ $(sysroot) -std=c++20 -O1 -fPIC \
  -DFMT_HEADER_ONLY=1 -DROOFMARK_PLUGIN_FOLDER='"none"' -I$(ROOT) -I$(ROOT)/include -isystem $(CACHE)/arm64/usr/include -MMD -MP
folders := perf_event hardware hardware/* hardware/events/cpus
sources := $(foreach folder,$(folders),$(wildcard $(ROOT)/collectors/$(folder)/*.cc)) \
  $(foreach layer,core counts,$(wildcard $(ROOT)/lib/$(layer)/*.cc)) $(ROOT)/tests/kernel/arm_test.cc
objects := $(patsubst $(ROOT)/%.cc,%.o,$(sources))

arm_test: $(objects)
	$(prefix)aarch64-linux-gnu-g++ $(sysroot) -o $@ $^ -L$(CACHE)/arm64/usr/lib/aarch64-linux-gnu \
	  -lgtest -lgtest_main -l:libpfm.a -ldl -pthread -Wl,-z,now

$(objects): %.o: $(ROOT)/%.cc
	@mkdir -p $(@D)
	$(compiler) -c $< -o $@

-include $(objects:.o=.d)
