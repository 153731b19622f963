# SPDX-License-Identifier: BSD-3-Clause
"""Floating-point instructions of kernels, as machine code has them: read from a cubin, an ELF file. From
compute capability 7.0 on an instruction has 16 bytes, of which the lowest nine bits say what it does, and
bits 12 to 14 the predicate that it is executed under: 7 is always. NVIDIA documents none of this; the tests
try each number by kernels that have the instruction."""
import collections
import struct

# Products of matrices in shared memory: of half precision, bfloat16 and TF32; of integers; of FP8.
PRODUCTS = {0x1f0: "HGMMA", 0x1f1: "IGMMA", 0x1f3: "QGMMA"}
OPCODES = {0x029: "DADD", 0x028: "DMUL", 0x02b: "DFMA", 0x021: "FADD", 0x020: "FMUL", 0x023: "FFMA"}
# Half precision and bfloat16, two numbers each; products of matrices by warps; integers.
MORE = {0x030: "HADD2", 0x032: "HMUL2", 0x031: "HFMA2", 0x035: "HFMA2.MMA", 0x03c: "HMMA", 0x03f: "DMMA", 0x037: "IMMA",
        0x07a: "QMMA", 0x024: "IMAD", 0x010: "IADD3", 0x036: "IADD", 0x012: "LOP3"}
BYTES, OPERATION, PREDICATE, ALWAYS = 16, 0x1ff, 12, 7


def sections(image):
    """The content of each section by its name."""
    (table,) = struct.unpack_from("<Q", image, 40)
    size, count, names_at = struct.unpack_from("<HHH", image, 58)
    headers = [struct.unpack_from("<IIQQQQ", image, table + i * size) for i in range(count)]
    names = headers[names_at]
    found = {}
    for header in headers:
        begin = names[4] + header[0]
        name = image[begin:image.index(b"\0", begin)].decode()
        found[name] = image[header[4]:header[4] + header[5]]
    return found


def kernels(image):
    return {name[len(".text."):]: content for name, content in sections(image).items() if name.startswith(".text.")}


def instructions(code):
    """The low half of each."""
    return [struct.unpack_from("<Q", code, at)[0] for at in range(0, len(code), BYTES)]


def products(code):
    return dict(collections.Counter(PRODUCTS[low & OPERATION] for low in instructions(code)
                                    if low & OPERATION in PRODUCTS))


def arithmetic(code):
    """How many there are of each, and how many of all are predicated."""
    counts, predicated = collections.Counter(), 0
    for low in instructions(code):
        name = OPCODES.get(low & OPERATION)
        if name:
            counts[name] += 1
            predicated += (low >> PREDICATE) & 7 != ALWAYS
    return dict(counts), predicated


def all_counts(code):
    """How many there are of every instruction that has a name here."""
    names = {**OPCODES, **PRODUCTS, **MORE}
    return collections.Counter(names[low & OPERATION] for low in instructions(code) if low & OPERATION in names)
