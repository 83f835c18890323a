#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What elf.py checks, for AArch64's instructions: elf_aarch64.py CHECK."""
import collections
import re
import sys

import elf
from elf import LOCAL, OBJECTS, OPS_OF, P, PRODUCTS, fail, is_assembly, kernels, main, need, run, symbols

Instruction = collections.namedtuple("Instruction", "address mnemonic operands")


def disassemble(path):
    found = []
    for line in run(P["objdump"], "-dw", path).splitlines():
        at = re.match(r"\s*([0-9a-f]+):\t[0-9a-f]{8} \t(\S+)\s*(.*?)(?:\s*//.*)?$", line)
        if at:
            # The assembler marks what it fills in as data.
            filling = (at[2], at[3]) == (".word", "0xd503201f")
            found.append(Instruction(int(at[1], 16), "nop" if filling else at[2], "" if filling else at[3]))
    need(found, "instructions in " + LOCAL(path))
    return found


def bodies(path):
    """The instructions of each function, by its name."""
    code = disassemble(path)
    found = {}
    for s in symbols(path):
        if s.type == "FUNC" and s.section != "UND":
            found[s.name] = [i for i in code if s.value <= i.address < s.value + s.size]
    return found


def target(i):
    """Where a direct jump goes, else None."""
    at = re.search(r"\b([0-9a-f]+) <", i.operands)
    return int(at[1], 16) if at and re.match(r"b|cb|tb", i.mnemonic) else None


class Code(elf.Code):
    disassemble = staticmethod(disassemble)
    target = staticmethod(target)

    def data(self, i):
        return self.addresses.get(i.address)

    def __init__(self, path):
        super().__init__(path)
        self.addresses = {}
        for body in self.body.values():
            # Pages by register, as far as reading straight on tells: adrp, then add or an access.
            pages = {}
            for i in body:
                at = re.match(r"(x\d+), ([0-9a-f]+)", i.operands)
                if i.mnemonic in ("adr", "adrp") and at:
                    pages[at[1]] = int(at[2], 16)
                    if i.mnemonic == "adr":
                        self.addresses[i.address] = pages[at[1]]
                    continue
                at = re.search(r"\[(x\d+)(?:, #(\d+))?\]$", i.operands) or \
                    i.mnemonic == "add" and re.search(r", (x\d+), #(0x[0-9a-f]+)$", i.operands)
                if at and at[1] in pages:
                    self.addresses[i.address] = pages[at[1]] + int(at[2] or "0", 0)
                if not i.mnemonic.startswith("st"):
                    pages.pop(i.operands.split(",")[0], None)


def check_resolver():
    elf.check_resolver(Code)


GENERAL = set(
    "add adds sub subs and ands bic orr eor neg mov movz movk cmp cmn tst lsl lsr udiv msub ubfiz ubfx "
    "cneg csel b cbz cbnz tbz tbnz ret bti hint nop udf mrs "
    "ldr str ldrb strb ldrh strh ldp stp ldur stur ldurb sturb ldurh sturh ldnp stnp prfm dmb dc".split()
)
ASIMD = set("fmov dup movi".split()) | {m for m in GENERAL if m.startswith(("ld", "st"))}
SVE = set("cntb ptrue whilelo ld1b st1b".split())
MOPS = re.compile(r"(cpyf?[pme](wn|rn|n)?|set[pme]n?)$")


def features(i):
    """The features that an instruction needs; None where these tables do not know it."""
    if MOPS.match(i.mnemonic):
        return {"MOPS"}
    if re.search(r"\b[zp]\d+\b", i.operands) or i.mnemonic in SVE:
        return {"SVE"} if i.mnemonic in SVE else None
    if re.search(r"\b[qdshbv]\d+\b", i.operands):
        return {"ASIMD"} if i.mnemonic in ASIMD else None
    if i.mnemonic == "mrs" and "dczid_el0" not in i.operands or i.mnemonic == "dc" and "zva" not in i.operands:
        return None
    if i.mnemonic in GENERAL or re.match(r"b\.\w+$", i.mnemonic):
        return set()
    return None


# The platform's register, the callee's, the stack; the low halves of v8 to v15, and so all names of them.
FORBIDDEN = re.compile(r"\b([xw](18|19|2\d|30)|sp|wsp|[qdshbvz]([89]|1[0-5]))\b")


def check_instructions():
    """Each kernel executes only what its line in kernels.def asks for, and keeps to its registers."""
    functions = bodies(P["shared"])
    starts = {body[0].address: name for name, body in functions.items() if body and name.startswith("fastcopy_")}
    needs_of = {"fastcopy_%s_%s" % (op, variant): needs for family, variant, needs in kernels() for op in OPS_OF[family]}
    for family, variant, needs in kernels():
        if not is_assembly(variant):
            continue
        for op in OPS_OF[family]:
            name = "fastcopy_%s_%s" % (op, variant)
            body = functions.get(name)
            if not body:
                fail("%s: no code" % name)
                continue
            inside = range(body[0].address, body[-1].address + 4)
            for i in body:
                text = "%s: %x: %s %s: " % (name, i.address, i.mnemonic, i.operands)
                found = features(i)
                if found is None:
                    fail(text + "not in elf_aarch64.py's tables")
                for feature in (found or set()) - needs:
                    fail(text + "needs %s, which kernels.def does not say" % feature)
                if i.mnemonic != "ret" and FORBIDDEN.search(i.operands.split("<")[0]):
                    fail(text + "a register that is not ours")
                to = target(i)
                if to is None or to in inside:
                    continue
                other = starts.get(to)
                if other is None:
                    if "fc_page_misaligned" not in i.operands:
                        fail(text + "jumps out")
                elif needs_of[other] - needs:
                    fail(text + "goes to a kernel that needs more")
    # For device memory: no pairs, and no writeback, for which a hypervisor cannot stand in [Arm ARM, ESR_EL2.ISV].
    accesses = [i for i in functions["fastcopy_memcpy_device"] if re.match("ld|st", i.mnemonic)]
    need(accesses, "accesses in fastcopy_memcpy_device")
    for i in accesses:
        if not re.match(r"(ld|st)u?r[bh]?$", i.mnemonic) or not re.match(r"[xw]\d+, \[[^]]*\]$", i.operands):
            fail("fastcopy_memcpy_device: %s %s: not a single access" % (i.mnemonic, i.operands))


def check_batches():
    """The loops of the batch kernels: 128 bytes in a row loaded, by four pairs, then stored, nothing in between."""
    functions = bodies(P["shared"])
    for op, variant, prefetches in (("memmove", "batch", True), ("memmove", "batch_nopf", False), ("copy_page", "batch", True)):
        name = "fastcopy_%s_%s" % (op, variant)
        body = functions.get(name, [])
        place = {i.address: k for k, i in enumerate(body)}
        hints = []
        for k, i in enumerate(body):
            to = place.get(target(i), k)
            if to >= k or i.mnemonic != "b.cc":  # which is b.lo; backward copies end theirs with b.hi
                continue
            turn = [j for j in body[to:k] if re.match("ld|st|prfm", j.mnemonic)]
            if turn and turn[0].mnemonic == "prfm":
                turn.pop(0)
                hints.append(True)
            else:
                hints.append(False)
            found = [(j.mnemonic,) + re.search(r"\[(x\d+)(?:, #(-?\d+))?\]$", j.operands).group(1, 2) for j in turn]
            wanted = [(kind, base, str(at) if at else None) for kind, base in (("ldp", "x1"), ("stp", "x3"))
                      for at in range(0, 128, 32)]
            if found != wanted:
                fail("%s: the loop at %x: %s" % (name, body[to].address, found))
        if hints != ([True, False] if prefetches else [False]):
            fail("%s: its loops prefetch: %s" % (name, hints))


def check_functions():
    elf.check_functions(disassemble, lambda i: i.mnemonic == "paciasp" or (i.mnemonic, i.operands) == ("bti", "c"))


def check_notes():
    for path in OBJECTS + PRODUCTS:
        if not re.search(r"AArch64 feature: BTI, PAC", run(P["readelf"], "-nW", path)):
            fail("%s: no BTI and PAC note" % LOCAL(path))


if __name__ == "__main__":
    sys.exit(main(sys.modules[__name__]))
