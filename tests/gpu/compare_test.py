# SPDX-License-Identifier: BSD-3-Clause
"""tests/gpu/run says what is right and what is not; without a device."""
import unittest

import compare

TEXT = "warming up\nknown triad flops_dp_fma 200 0\nknown triad dram_read_bytes 1000 0.03\n"


def device(values, lost=0, metrics=None):
    return {"metrics": metrics or {}, "paths": [{"path": "triad", "lost": lost, "values": values}]}


def results(*devices):
    return compare.compare(compare.parse(TEXT), list(devices))


class Compare(unittest.TestCase):
    def test_lines_are_read(self):
        self.assertEqual(compare.parse(TEXT), [compare.Known("triad", "flops_dp_fma", 200, 0),
                                               compare.Known("triad", "dram_read_bytes", 1000, 0.03)])

    def test_exact_and_tolerated(self):
        flops, read = results(device({"flops_dp_fma": 200, "dram_read_bytes": 1029}))
        self.assertTrue(flops.right and read.right)
        self.assertAlmostEqual(read.ratio, 1.029)
        flops, read = results(device({"flops_dp_fma": 201, "dram_read_bytes": 1031}))
        self.assertFalse(flops.right or read.right)

    def test_devices_add_up(self):
        flops, _ = results(device({"flops_dp_fma": 150, "dram_read_bytes": 1}),
                           device({"flops_dp_fma": 50, "dram_read_bytes": 1}))
        self.assertTrue(flops.right)

    def test_of_a_sum_some_devices_have_a_part(self):
        known = compare.parse("known triad pcie_received_bytes+c2c_received_bytes 100 0\n")
        for values, counted in (({"pcie_received_bytes": 100, "c2c_received_bytes": None}, 100),
                                ({"pcie_received_bytes": 30, "c2c_received_bytes": 70}, 100),
                                ({"pcie_received_bytes": 0}, 0)):
            (both,) = compare.compare(known, [device(values)])
            self.assertEqual((both.counted, both.right), (counted, counted == 100))
        (neither,) = compare.compare(known, [device({}, metrics={"pcie_received_bytes": {"reason": "denied"}})])
        self.assertEqual(neither.reason, "denied")

    def test_what_is_missing_is_wrong_with_its_reason(self):
        flops, read = results(device({"flops_dp_fma": None}, lost=2,
                                     metrics={"dram_read_bytes": {"reason": "denied"}}))
        self.assertEqual((flops.right, flops.reason), (False, "counts were lost 2 times"))
        self.assertEqual((read.right, read.reason), (False, "denied"))
        self.assertEqual(results()[0].reason, "no device has this region")


if __name__ == "__main__":
    unittest.main()
