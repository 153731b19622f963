# SPDX-License-Identifier: BSD-3-Clause
"""machines.py OUT: writes the machines of the virtual PMU as folders of OUT.

Each has the files of /proc and /sys that tell programs what it is, and `machine`, what the virtual
PMU plays. Two packages of four CPUs: 0-3 and 4-7. Spellings of events and formats are the kernel's.
"""
import pathlib
import shutil
import sys

PACKAGES, CORES = 2, 4
CPUS = PACKAGES * CORES
LEADERS = [package * CORES for package in range(PACKAGES)]
MIB_PER_LINE = "6.103515625e-5"

INTEL_CORE = {"event": "config:0-7", "umask": "config:8-15", "edge": "config:18",
              "any": "config:21", "inv": "config:23", "cmask": "config:24-31",
              "offcore_rsp": "config1:0-63", "ldlat": "config1:0-15", "frontend": "config1:0-23"}
INTEL_UNCORE = {"event": "config:0-7", "umask": "config:8-15", "edge": "config:18",
                "inv": "config:23", "thresh": "config:24-31"}
AMD_CORE = {"event": "config:0-7,32-35", "umask": "config:8-15", "edge": "config:18",
            "inv": "config:23", "cmask": "config:24-31"}
AMD_DF = {"event": "config:0-7,32-35,59-60", "umask": "config:8-15"}
AMD_UMC = {"event": "config:0-7", "rdwrmask": "config:8-9"}
PRIVILEGE_BITS = 1 << 16 | 1 << 17 | 1 << 20 | 1 << 22  # set by the kernel, dropped when given

INTEL_GENERIC = {0: 0x3C, 1: 0xC0, 2: 0x4F2E, 3: 0x412E, 4: 0xC4, 5: 0xC5, 6: 0x13C}
AMD_GENERIC = {0: 0x76, 1: 0xC0, 2: 0xFF60, 3: 0x964, 4: 0xC2, 5: 0xC3}
INTEL_EVENTS = {"cpu-cycles": "event=0x3c", "instructions": "event=0xc0",
                "cache-references": "event=0x2e,umask=0x4f", "cache-misses": "event=0x2e,umask=0x41"}
AMD_EVENTS = {"cpu-cycles": "event=0x76", "instructions": "event=0xc0",
              "cache-references": "event=0x60,umask=0xff", "cache-misses": "event=0x64,umask=0x09"}


def cas_events(event, read, write):
    """The events of an Intel memory controller as its driver lists them."""
    events = {"clockticks": "event=0xff" if event == 4 else "event=0x01"}
    for name, umask in (("cas_count_read", read), ("cas_count_write", write)):
        events[name] = f"event=0x{event:02x},umask=0x{umask:02x}"
        events[name + ".scale"] = MIB_PER_LINE
        events[name + ".unit"] = "MiB"
    return events


def intel(model, stepping, name, counters, controllers, events, fixed=(0xC0, 0x3C, 0x300)):
    return dict(vendor="GenuineIntel", family=6, model=model, stepping=stepping, name=name,
                core=dict(format=INTEL_CORE, events=INTEL_EVENTS, counters=counters, fixed=fixed,
                          generic=INTEL_GENERIC, ignored=PRIVILEGE_BITS),
                devices=[dict(name=f"uncore_imc_{i}", format=INTEL_UNCORE, events=events, counters=4,
                              fixed=(0xFF,) if events else (), cpus=LEADERS)
                         for i in range(controllers)])


def amd(family, model, name, devices):
    return dict(vendor="AuthenticAMD", family=family, model=model, stepping=1, name=name,
                core=dict(format=AMD_CORE, events=AMD_EVENTS, counters=6, fixed=(),
                          generic=AMD_GENERIC, ignored=PRIVILEGE_BITS),
                devices=devices)


def amd_umc(per_package):
    """Twelve controllers of a package, numbered on in the next one."""
    return [dict(name=f"amd_umc_{package * per_package + i}", format=AMD_UMC, events={}, counters=4,
                 fixed=(), cpus=[LEADERS[package]], exact_cpu=1)
            for package in range(PACKAGES) for i in range(per_package)]


AMD_FABRIC = dict(name="amd_df", format=AMD_DF, events={}, counters=4, fixed=(), cpus=LEADERS,
                  exact_cpu=1)
SPR_CAS = cas_events(5, 0xCF, 0xF0)
MACHINES = {
    "skx": intel(85, 4, "Xeon Gold 6148", 8, 6, cas_events(4, 0x03, 0x0C)),
    "clx": intel(85, 7, "Xeon Gold 6248", 8, 6, cas_events(4, 0x03, 0x0C)),
    "icx": intel(106, 6, "Xeon Platinum 8380", 8, 8, cas_events(4, 0x0F, 0x30)),
    "spr": intel(143, 8, "Xeon Platinum 8480+", 8, 12, SPR_CAS),
    "spr61": intel(143, 8, "Xeon Platinum 8480+", 8, 12, {}),  # kernel 6.1: devices without events
    "emr": intel(207, 2, "Xeon Platinum 8592+", 8, 12, SPR_CAS),
    "zen3": amd(0x19, 0x01, "EPYC 7763", [AMD_FABRIC]),
    "zen4": amd(0x19, 0x11, "EPYC 9654", [AMD_FABRIC] + amd_umc(12)),
    "zen5": amd(0x1A, 0x02, "EPYC 9755", [AMD_FABRIC] + amd_umc(12)),
}


def bits(formats, config):
    """All bits that the format gives to one of config, config1, config2."""
    mask = 0
    for field in formats.values():
        where, ranges = field.split(":")
        if where != config:
            continue
        for part in ranges.split(","):
            low, _, high = part.partition("-")
            for bit in range(int(low), int(high or low) + 1):
                mask |= 1 << bit
    return mask


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{content}\n")


def write_device(root, device, number):
    """A PMU below /sys/devices, and the link to it in /sys/bus/event_source, as in a kernel."""
    folder = root / "sys/devices" / device["name"]
    write(folder / "type", number)
    write(folder / "perf_event_mux_interval_ms", 1)
    for kind in ("format", "events"):
        for name, text in device.get(kind, {}).items():
            write(folder / kind / name, text)
    if device.get("cpus"):
        write(folder / "cpumask", ",".join(map(str, device["cpus"])))
    link = root / "sys/bus/event_source/devices" / device["name"]
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(f"../../../devices/{device['name']}")


def describe(device, number, core):
    """The device's line of `machine`."""
    line = f"pmu name={device['name']} type={number} core={int(core)} counters={device['counters']}"
    for key, config in (("bits", "config"), ("bits1", "config1"), ("bits2", "config2")):
        line += f" {key}=0x{bits(device['format'], config):x}"
    line += f" ignored=0x{device.get('ignored', 0):x} exact_cpu={device.get('exact_cpu', 0)}"
    for key, separator in (("fixed", ","), ("cpus", ",")):
        if device.get(key):
            line += f" {key}={separator.join(map(str, device[key]))}"
    if device.get("generic"):
        line += " generic=" + ",".join(f"{k}:{v}" for k, v in device["generic"].items())
    return line


def signature(machine):
    """CPUID leaf 1 eax."""
    family, model = machine["family"], machine["model"]
    base = min(family, 15)
    return ((family - base) << 20 | (model >> 4) << 16 | base << 8 | (model & 15) << 4 |
            machine["stepping"])


def cpuid(machine):
    """The leaves by which libraries know a CPU; all others answer as the real one does."""
    vendor = [int.from_bytes(machine["vendor"][i:i + 4].encode(), "little") for i in (0, 4, 8)]
    is_intel = machine["vendor"] == "GenuineIntel"
    leaves = {0: (0x1F if is_intel else 0x10, vendor[0], vendor[2], vendor[1]),
              1: (signature(machine), 0x00100800, 0x7FFEFBFF, 0xBFEBFBFF),
              0x80000000: (0x80000008 if is_intel else 0x80000028, 0, 0, 0)}
    if is_intel:
        general, fixed = machine["core"]["counters"], len(machine["core"]["fixed"])
        leaves[0xA] = (0x07300005 | general << 8 & 0xFF00, 0, (1 << fixed) - 1, 48 << 5 | fixed)
    return leaves


def write_machine(root, machine):
    """The file that the virtual PMU reads; writes the devices on the way."""
    lines = []
    for device in [dict(machine["core"], name="cpu")] + machine["devices"]:
        core = device["name"] == "cpu"
        number = 4 if core else 9 + len(lines)
        write_device(root, device, number)
        lines.append(describe(device, number, core))
    for name, number in (("software", 1), ("tracepoint", 2), ("breakpoint", 5)):
        write_device(root, dict(name=name), number)
    lines += [f"cpu id={cpu} package={cpu // CORES}" for cpu in range(CPUS)]
    for leaf, registers in cpuid(machine).items():
        names = " ".join(f"{n}=0x{v:x}" for n, v in zip(("eax", "ebx", "ecx", "edx"), registers))
        lines.append(f"cpuid leaf=0x{leaf:x} {names}")
    write(root / "machine", "\n".join(lines))


def write_cpu(root, cpu):
    folder = root / f"sys/devices/system/cpu/cpu{cpu}"
    first = cpu // CORES * CORES
    package = ((1 << CORES) - 1) << first
    topology = dict(physical_package_id=cpu // CORES, die_id=0, core_id=cpu % CORES,
                    thread_siblings=f"{1 << cpu:02x}", thread_siblings_list=cpu,
                    core_cpus=f"{1 << cpu:02x}", core_cpus_list=cpu,
                    core_siblings=f"{package:02x}", core_siblings_list=f"{first}-{first + CORES - 1}",
                    package_cpus=f"{package:02x}", package_cpus_list=f"{first}-{first + CORES - 1}")
    for name, text in topology.items():
        write(folder / "topology" / name, text)
    if cpu > 0:
        write(folder / "online", 1)
    caches = ((1, "Data", 32, False), (1, "Instruction", 32, False), (2, "Unified", 1024, False),
              (3, "Unified", 32768, True))
    for index, (level, kind, kib, shared) in enumerate(caches):
        cache = folder / f"cache/index{index}"
        ways = 8 if level < 3 else 16
        for name, text in dict(
                level=level, type=kind, size=f"{kib}K", coherency_line_size=64,
                ways_of_associativity=ways, physical_line_partition=1,
                number_of_sets=kib * 1024 // 64 // ways, id=cpu // CORES if shared else cpu,
                shared_cpu_map=f"{package if shared else 1 << cpu:02x}",
                shared_cpu_list=f"{first}-{first + CORES - 1}" if shared else cpu).items():
            write(cache / name, text)


def write_topology(root):
    for group, last in (("cpu", CPUS - 1), ("node", PACKAGES - 1)):
        for name in ("online", "possible", "present" if group == "cpu" else "has_cpu"):
            write(root / f"sys/devices/system/{group}" / name, f"0-{last}")
    for cpu in range(CPUS):
        write_cpu(root, cpu)
    for node in range(PACKAGES):
        folder = root / f"sys/devices/system/node/node{node}"
        first = node * CORES
        write(folder / "cpulist", f"{first}-{first + CORES - 1}")
        write(folder / "cpumap", f"{((1 << CORES) - 1) << first:02x}")
        write(folder / "distance", " ".join("10" if n == node else "21" for n in range(PACKAGES)))
        write(folder / "meminfo", f"Node {node} MemTotal:       67108864 kB\n"
                                  f"Node {node} MemFree:        60000000 kB")


def write_proc(root, machine):
    blocks = []
    for cpu in range(CPUS):
        blocks.append("\n".join(f"{name}\t: {value}" for name, value in {
            "processor": cpu, "vendor_id": machine["vendor"], "cpu family": machine["family"],
            "model\t": machine["model"], "model name": machine["name"],
            "stepping": machine["stepping"], "cpu MHz\t": "2400.000", "cache size": "32768 KB",
            "physical id": cpu // CORES, "siblings": CORES, "core id\t": cpu % CORES,
            "cpu cores": CORES, "apicid\t": cpu, "fpu\t": "yes",
            "flags\t": "fpu tsc msr sse sse2 constant_tsc nonstop_tsc rdtscp fma avx avx2 avx512f",
        }.items()) + "\n")
    write(root / "proc/cpuinfo", "\n".join(blocks))
    write(root / "proc/sys/kernel/perf_event_paranoid", 2)
    write(root / "proc/sys/kernel/nmi_watchdog", 0)


def main():
    out = pathlib.Path(sys.argv[1])
    for name, machine in MACHINES.items():
        root = out / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        write_machine(root, machine)
        write_topology(root)
        write_proc(root, machine)


if __name__ == "__main__":
    main()
