# SPDX-License-Identifier: BSD-3-Clause
"""outcomes_test.py: what outcomes.py makes of a log of ctest."""
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("outcomes.py")
LOG = """Start testing: Nov 28 17:25 UTC
----------------------------------------------------------
1/4 Testing: lib_tests.1of2
1/4 Test: lib_tests.1of2
Output:
----------------------------------------------------------
[       OK ] Sums.OfNone (12 ms)
lib/sums_test.cc:7: Failure
Expected: 3
[  FAILED  ] Sums.OfTwo (3456 ms)
lib/sums_test.cc:9: Skipped
this machine has no sums
[  SKIPPED ] Sums.OfThree (1 ms)
[==========] 3 tests ran in 3469 ms: 1 passed, 1 skipped, 1 failed
[  FAILED  ] Sums.OfTwo
<end of output>
Test time =   3.47 sec
----------------------------------------------------------
Test Failed.
2/4 Testing: Site
2/4 Test: Site
Output:
----------------------------------------------------------
SKIP: no sphinx
<end of output>
Test time =   0.10 sec
----------------------------------------------------------
Test Passed.
3/4 Testing: Layers
3/4 Test: Layers
Output:
----------------------------------------------------------
a circle of includes
<end of output>
Test time =   9.25 sec
----------------------------------------------------------
Test Failed.
4/4 Testing: mpi_tests
4/4 Test: mpi_tests
Output:
----------------------------------------------------------
[       OK ] Jobs.Begin (5 ms)
<end of output>
Test time =   1.00 sec
----------------------------------------------------------
Test Failed.
"""


def said(what):
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.write(LOG)
        log.flush()
        return subprocess.run([sys.executable, SCRIPT, what, log.name], capture_output=True, text=True,
                              check=True).stdout


def main():
    assert said("count") == "7 tests: 2 passed, 2 skipped, 3 failed\n", said("count")
    assert said("skipped") == "  Sums.OfThree: this machine has no sums\n  Site: no sphinx\n", said("skipped")
    failed = said("failed")
    assert "== Sums.OfTwo, 3.46 s\nlib/sums_test.cc:7: Failure\nExpected: 3\n" in failed, failed
    assert "== Layers, 9.25 s\na circle of includes\n" in failed, failed
    assert "== mpi_tests, " in failed, failed  # it ended between two tests
    times = said("times").splitlines()
    assert times[0].split() == ["9.25", "s", "Layers"] and times[1].split() == ["3.46", "s", "Sums.OfTwo"], times
    print("ok")


main()
