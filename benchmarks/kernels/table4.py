# SPDX-License-Identifier: BSD-3-Clause
"""Between which ceilings a kernel lies: the columns of Table 4 of the 2008 roofline report, from the
analysis that `roofmark report --json` gives. Runs nothing."""
import dataclasses

# The roof's own lines: as an upper ceiling they name no optimisation.
ROOFS = ("peak", "L1", "L2", "L3", "DRAM")
# What lies closer to the roof than this cannot be told from it.
BELOW_ROOF = 0.99
# Ceilings of code that uses its lines in part or in no order.
SPARSE = ("DRAM random lines", "DRAM strided")
# Counted traffic may exceed that of every line of every array, moved once, by so much.
WHOLE_LINES = 1.1


@dataclasses.dataclass
class Variant:
    title: str
    command: str
    region: str
    share: float          # of the upper ceiling that it must reach
    streams: bool = True  # its loops run through whole arrays in order: proven by declared bytes
    cache: str = ""       # modelled; empty: this machine's


@dataclasses.dataclass
class Row:
    variant: Variant
    gflops: float
    intensity: float | None
    attainable_by_mix: float
    upper: dict | None
    lower: dict | None
    proof: str
    above_roof: bool

    @property
    def share(self):
        return self.gflops / self.upper["allows_gflops"] if self.upper else 0.0

    @property
    def holds(self):
        return not self.above_roof and bool(self.lower) and self.share >= self.variant.share


def passes(ceiling, variant, declared_bytes, dram_bytes):
    """Why the variant has what code below this ceiling lacks; empty where nothing proves it."""
    if ceiling["fit"] == "passed":
        return ceiling["proof"]
    if variant.streams and ceiling["name"] in SPARSE and dram_bytes <= WHOLE_LINES * declared_bytes:
        return f"whole lines in order: {dram_bytes / declared_bytes:.2f}x the arrays' bytes"
    return ""


def judge(path, variant, declared_bytes, dram_bytes):
    """One row from one path of the analysis."""
    gflops = path["gflops"]["value"]
    ceilings = [c for c in path["verdict"]["ceilings"] if c["fit"] != "foreign"]
    roof = min(c["allows_gflops"] for c in ceilings if c["name"] in ROOFS)
    proofs = {c["name"]: passes(c, variant, declared_bytes, dram_bytes) for c in ceilings}
    above = [c for c in ceilings if c["allows_gflops"] >= gflops and not proofs[c["name"]]
             and c["name"] not in ROOFS and c["allows_gflops"] < BELOW_ROOF * roof]
    below = [c for c in ceilings if 0 < c["allows_gflops"] < gflops and proofs[c["name"]]]
    upper = min(above, key=lambda c: c["allows_gflops"], default=None)
    lower = max(below, key=lambda c: c["allows_gflops"], default=None)
    return Row(variant, gflops, path["intensity_dram"]["value"],
               path["attainable_by_mix"]["value"] or 0.0, upper, lower,
               proofs[lower["name"]] if lower else "", gflops > roof)


def describe(ceiling):
    if ceiling is None:
        return "none"
    value = f"{ceiling['gbytes_per_s']:.1f} GB/s" if "gbytes_per_s" in ceiling else f"{ceiling['gflops']:.1f} GFLOP/s"
    return f"{ceiling['name']} ({ceiling['type']}, {value})"


HEAD = ("| Kernel | FLOP/byte | upper ceiling | allows | achieved, GFLOP/s | of upper | of its mix |"
        " lower ceiling | allows | which it passes by | holds |\n" + "|---" * 11 + "|")


def markdown(row):
    allows = [f"{c['allows_gflops']:.2f}" if c else "–" for c in (row.upper, row.lower)]
    of_mix = f"{row.gflops / row.attainable_by_mix:.2f}" if row.attainable_by_mix else "–"
    # What lives in the caches has next to no traffic.
    intensity = "–" if row.intensity is None else f"{row.intensity:.2f}" if row.intensity < 100 else "> 100"
    return (f"| {row.variant.title} | {intensity} | {describe(row.upper)} | {allows[0]} | {row.gflops:.2f} |"
            f" {row.share:.2f} (≥ {row.variant.share}) | {of_mix} | {describe(row.lower)} | {allows[1]} |"
            f" {row.proof or '–'} | {'yes' if row.holds else 'NO'} |")
