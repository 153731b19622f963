# SPDX-License-Identifier: BSD-3-Clause
"""Reads a bundle of `roofmark doctor --self-test --bundle`. It comes from strangers: nothing in it is
taken for a name of a file, a number or a text before it was looked at. Errors are BadBundle, with
file, member and cure."""
import json
import re

VERSION = 1
MOST_BYTES = 64 << 20
MOST_CPUS = 1024  # of the virtual PMU
MOST_FILE = 4096
PATH = re.compile(r"/proc/(cpuinfo|sys/kernel/(perf_event_paranoid|nmi_watchdog))"
                  r"|/sys/(bus/event_source/devices|devices/system/(cpu|node))(/[A-Za-z0-9_.:-]+){1,5}")
DEVICE = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
TEXT = re.compile(r"[\t\n -~]*")
CPU_LIST = re.compile(r"(\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*)?")
FIELD = re.compile(r"config[12]?:\d{1,2}(-\d{1,2})?(,\d{1,2}(-\d{1,2})?)*")


class BadBundle(Exception):
    """A sentence for the user."""


class Bundle:
    """The members that a machine is played from, checked."""

    def __init__(self, path):
        self.path = path
        self.json = self._load()
        self.check()

    def fail(self, member, problem):
        raise BadBundle(f"{self.path}: {member}: {problem}")

    def _load(self):
        try:
            with open(self.path, "rb") as file:
                raw = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise BadBundle(f"cannot read {self.path}: {error.strerror}") from None
        if len(raw) > MOST_BYTES:
            raise BadBundle(f"{self.path}: a bundle has at most {MOST_BYTES >> 20} MiB")
        try:
            value = json.loads(raw.decode("utf-8"), parse_constant=lambda name: self.fail(name, "is no number"))
        except UnicodeDecodeError:
            raise BadBundle(f"{self.path} is no text: was it damaged on its way? Ask for it once more") from None
        except json.JSONDecodeError as error:
            raise BadBundle(f"{self.path}:{error.lineno}: {error.msg}: the bundle is damaged or cut short; "
                            "ask for it once more") from None
        except ValueError:
            raise BadBundle(f"{self.path}: a number has thousands of digits") from None
        except RecursionError:
            raise BadBundle(f"{self.path}: lists inside lists without end") from None
        return value

    def member(self, name, kind, of=None):
        value = (of or self.json).get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail(name, "is missing or of another type than docs/bundle.schema.json says")
        return value

    def rows(self, name, of=None):
        rows = self.member(name, list, of)
        for row in rows:
            if not isinstance(row, dict):
                self.fail(name, "a row is no object")
        return rows

    def number(self, name, row, most, where):
        value = row.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            self.fail(f"{where}.{name}", f"is {value!r}, not a number from 0 to {most}")
        return value

    def check(self):
        if not isinstance(self.json, dict) or self.json.get("format") != "roofmark-bundle":
            raise BadBundle(f"{self.path} is no bundle: `roofmark doctor --self-test --bundle FILE` writes one")
        version = self.member("version", int)
        if version != VERSION:
            self.fail("version", f"is {version}; this script reads version {VERSION}: take the roofmark that "
                      "wrote the bundle, or a newer one")
        self.files = self.check_files()
        self.cpus = self.check_cpus()
        self.events = self.check_events()
        self.check_totals()
        self.leaves = self.check_leaves()

    def check_files(self):
        files = self.member("files", dict)
        for path, text in files.items():
            if not PATH.fullmatch(path) or any(part in (".", "..") for part in path.split("/")):
                self.fail("files", f"{path!r} is none of the files that a bundle has")
            if not isinstance(text, str) or not TEXT.fullmatch(text):
                self.fail(f"files[{path}]", "is no plain text")
            if len(text) > MOST_FILE and path != "/proc/cpuinfo":
                self.fail(f"files[{path}]", f"has {len(text)} characters; the kernel writes at most {MOST_FILE}")
            if "/format/" in path and not self.is_format(text):
                self.fail(f"files[{path}]", f"{text!r} is no format of a PMU")
        if "/proc/cpuinfo" not in files:
            self.fail("files", "/proc/cpuinfo is missing")
        return files

    @staticmethod
    def is_format(text):
        return FIELD.fullmatch(text) and all(int(bit) < 64 for bit in re.findall(r"\d+", text.split(":")[1]))

    def check_cpus(self):
        """The package of each CPU, from 0 without a gap."""
        found = {}
        for path, text in self.files.items():
            match = re.fullmatch(r"/sys/devices/system/cpu/cpu(\d{1,7})/topology/physical_package_id", path)
            if match:
                found[int(match[1])] = text
        if max(found, default=0) >= MOST_CPUS:
            self.fail("files", f"cpu{max(found)}: the virtual PMU plays at most {MOST_CPUS} CPUs")
        packages = []
        for cpu in range(max(found, default=-1) + 1):
            text = found.get(cpu, "-1")  # offline
            if not re.fullmatch(r"-1|\d{1,9}", text):
                self.fail(f"files[cpu{cpu}]", f"{text!r} is no number of a package")
            packages.append(int(text))
        # Numbers as firmware gives them may be large; the virtual PMU counts from 0.
        order = sorted(set(packages) - {-1})
        return [order.index(package) if package >= 0 else 0 for package in packages] or [0]

    def check_events(self):
        events = self.rows("events")
        for i, event in enumerate(events):
            where = f"events[{i}]"
            for name in ("name", "device", "scope"):
                if not isinstance(event.get(name), str) or not TEXT.fullmatch(event[name]):
                    self.fail(f"{where}.{name}", "is no plain text")
            if event["device"] and not DEVICE.fullmatch(event["device"]):
                self.fail(f"{where}.device", f"{event['device']!r} is no name of a PMU")
            self.number("type", event, 2**32 - 1, where)
            config = event.get("config")
            if not isinstance(config, list) or len(config) != 3:
                self.fail(f"{where}.config", "is no list of three numbers")
            for word in config:
                self.number("config", {"config": word}, 2**64 - 1, where)
            for cpu in self.member("cpus", list, event):
                self.number("cpu", {"cpu": cpu}, len(self.cpus) - 1, where)
            if not isinstance(event.get("runs"), bool):
                self.fail(f"{where}.runs", "is neither true nor false")
        return events

    def check_totals(self):
        for i, exercise in enumerate(self.rows("exercises")):
            where = f"exercises[{i}]"
            if not isinstance(exercise.get("exercise"), str) or not TEXT.fullmatch(exercise["exercise"]):
                self.fail(f"{where}.exercise", "is no plain text")
            for metric, known in self.member("known", dict, exercise).items():
                bounds = known if isinstance(known, list) and len(known) == 2 else [None]
                if not all(isinstance(x, (int, float)) and 0 <= x < 1e300 for x in bounds):
                    self.fail(f"{where}.known[{metric}]", "is no pair of numbers")
            for total in self.rows("totals", exercise):
                self.number("event", total, len(self.events) - 1, where)
                value = total.get("value")
                if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**47:
                    self.fail(f"{where}.value", f"is {value!r}, no count of 48 bits")
                if total.get("cpu") is not None:
                    self.number("cpu", total, len(self.cpus) - 1, where)

    def check_leaves(self):
        leaves = self.rows("cpuid")
        for i, leaf in enumerate(leaves):
            for name in ("leaf", "subleaf", "eax", "ebx", "ecx", "edx"):
                self.number(name, leaf, 2**32 - 1, f"cpuid[{i}]")
        return leaves
