// SPDX-License-Identifier: BSD-3-Clause
//
// Owns the compiled headers of all tests; does nothing else.
int main() { return 0; }
