# SPDX-License-Identifier: BSD-3-Clause
"""fixture.py BUNDLE OUT: writes the machine of a bundle as a folder OUT for the virtual PMU
(VPMU_MACHINE, see tests/virtual_pmu/virtual_pmu.h): the files of /proc and /sys as they were, and
`machine`, what the virtual PMU plays."""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "virtual_pmu"))
import machines  # noqa: E402
from bundle import CPU_LIST, BadBundle, Bundle  # noqa: E402

DEVICES = "/sys/bus/event_source/devices/"
MOST_PMUS = 120  # of the virtual PMU's 128
# Numbers of PERF_COUNT_HW_*, by the names that drivers give them.
GENERIC = {"cpu-cycles": 0, "cpu_cycles": 0, "instructions": 1, "inst_retired": 1, "cache-references": 2,
           "cache-misses": 3, "branch-instructions": 4, "branches": 4, "branch-misses": 5, "bus-cycles": 6}
NOT_PLAYED = ("software", "tracepoint", "breakpoint", "kprobe", "uprobe", "msr", "power")  # the real kernel's


def expand(text):
    """The numbers of "0-3,8"."""
    numbers = []
    for part in filter(None, text.split(",")):
        low, _, high = part.partition("-")
        numbers += range(int(low), int(high or low) + 1)
    return numbers


def bit_map(cpus):
    """As the kernel writes it: words of 32 bits."""
    bits = sum(1 << cpu for cpu in cpus)
    words = max((max(cpus, default=0) // 32) + 1, 1)
    return ",".join(f"{bits >> 32 * word & 0xffffffff:08x}" for word in reversed(range(words)))


def encode(formats, fields):
    """config of "event=0x3c,umask=0x00"; None if it cannot be said by these formats."""
    config = 0
    for field in fields.split(","):
        name, _, value = field.partition("=")
        where, _, ranges = formats.get(name, "").partition(":")
        if where != "config" or not re.fullmatch(r"(0x[0-9a-fA-F]{1,16}|\d{1,18}|)", value):
            return None
        value = int(value or "1", 0)
        for part in ranges.split(","):
            low, _, high = part.partition("-")
            for bit in range(int(low), int(high or low) + 1):
                config |= (value & 1) << bit
                value >>= 1
    return config


class Device:
    def __init__(self, name, bundle):
        self.name = name
        self.type, self.cpumask = None, None
        self.format, self.events = {}, {}
        for path, text in bundle.files.items():
            if not path.startswith(f"{DEVICES}{name}/"):
                continue
            kind, _, rest = path[len(DEVICES) + len(name) + 1:].partition("/")
            if kind == "type" and re.fullmatch(r"\d{1,9}", text):
                self.type = int(text)
            if kind == "cpumask":
                if not CPU_LIST.fullmatch(text):
                    bundle.fail(f"files[{path}]", f"{text!r} is no list of CPUs")
                self.cpumask = [cpu for cpu in expand(text) if cpu < len(bundle.cpus)]
            if kind in ("format", "events"):
                getattr(self, kind)[rest] = text
        self.core = self.cpumask is None and (name == "cpu" or name.startswith(("cpu_", "armv")))

    def line(self, bundle):
        intel = bundle.files["/proc/cpuinfo"].find("GenuineIntel") >= 0
        described = dict(name=self.name, format=self.format, counters=self.counters(bundle), cpus=self.cpumask,
                         exact_cpu=int(self.name.startswith("amd_")))
        if self.core:
            described["ignored"] = machines.PRIVILEGE_BITS if self.name.startswith("cpu") else 0
            described["fixed"] = (0xC0, 0x3C, 0x300) if intel else ()
            described["generic"] = self.generic()
        return machines.describe(described, self.type, self.core)

    def counters(self, bundle):
        """Of a core as CPUID has them (Intel's leaf 0xa, AMD's 0x80000022); else what such devices have."""
        for leaf in bundle.leaves:
            if self.core and leaf["leaf"] == 0xA and leaf["eax"] & 0xFF:
                return leaf["eax"] >> 8 & 0xFF or 4
            if self.core and leaf["leaf"] == 0x80000022 and leaf["ebx"] & 0xF:
                return leaf["ebx"] & 0xF
        return 6 if self.core else 4

    def generic(self):
        known = {}
        for name, number in GENERIC.items():
            config = encode(self.format, self.events[name]) if name in self.events else None
            if config is not None:
                known.setdefault(number, config)
        return known


def devices_of(bundle):
    """Those that events were opened on first: the virtual PMU takes a limited number."""
    names = {path[len(DEVICES):].split("/")[0] for path in bundle.files if path.startswith(DEVICES)}
    used = {event["device"] for event in bundle.events}
    devices = [Device(name, bundle) for name in sorted(names, key=lambda name: (name not in used, name))]
    return [device for device in devices if device.type is not None and device.name not in NOT_PLAYED][:MOST_PMUS]


def write_files(root, bundle):
    maps = {"thread_siblings_list": "thread_siblings", "core_cpus_list": "core_cpus", "cpulist": "cpumap",
            "core_siblings_list": "core_siblings", "package_cpus_list": "package_cpus",
            "shared_cpu_list": "shared_cpu_map", "die_cpus_list": "die_cpus"}
    for path, text in bundle.files.items():
        inner = path
        if path.startswith(DEVICES):  # a link there, as in a kernel
            inner = "/sys/devices/" + path[len(DEVICES):]
            link = root / DEVICES[1:] / path[len(DEVICES):].split("/")[0]
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(f"../../../devices/{link.name}")
        machines.write(root / inner[1:], text)
        folder, _, name = inner.rpartition("/")
        if name in maps and CPU_LIST.fullmatch(text):
            cpus = [cpu for cpu in expand(text) if cpu < len(bundle.cpus)]
            machines.write(root / folder[1:] / maps[name], bit_map(cpus))


def write_fixture(bundle, root):
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    write_files(root, bundle)
    lines = [device.line(bundle) for device in devices_of(bundle)]
    lines += [f"cpu id={cpu} package={package}" for cpu, package in enumerate(bundle.cpus)]
    for leaf in bundle.leaves:
        if leaf["subleaf"] == 0:
            registers = " ".join(f"{name}=0x{leaf[name]:x}" for name in ("eax", "ebx", "ecx", "edx"))
            lines.append(f"cpuid leaf=0x{leaf['leaf']:x} {registers}")
    machines.write(root / "machine", "\n".join(lines))


def main():
    try:
        write_fixture(Bundle(sys.argv[1]), pathlib.Path(sys.argv[2]))
    except BadBundle as error:
        sys.exit(f"fixture.py: {error}")
    except OSError as error:  # a name that is a file and a folder, or is too long
        sys.exit(f"fixture.py: {sys.argv[1]}: its files cannot be written: {error}")


if __name__ == "__main__":
    main()
