#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What elf.py checks, for ppc64's instructions, big-endian ELFv1 and little-endian ELFv2: elf_ppc64.py CHECK."""
import collections
import re
import sys

import elf
from elf import LOCAL, OPS_OF, P, PRODUCTS, exported, fail, is_assembly, kernels, main, need, run, symbols

Instruction = collections.namedtuple("Instruction", "address mnemonic operands")
DESCRIPTORS = P["cc"].find("powerpc64le") < 0 and "powerpc64" in P["cc"]  # ELFv1


def disassemble(path):
    found = []
    for line in run(P["objdump"], "-dw", "-Mpower10", path).splitlines():
        at = re.match(r"\s*([0-9a-f]+):\t(?:[0-9a-f]{2} ){4}\s*\t?(\S+)\s*(.*)$", line)
        if at:
            # The assembler fills with nops that end a group.
            filling = at[2] == "ori" and re.match(r"(r[12]),\1,0$", at[3].strip())
            found.append(Instruction(int(at[1], 16), "nop" if filling else at[2].rstrip("+-"),
                                     "" if filling else at[3].strip()))
    need(found, "instructions in " + LOCAL(path))
    return found


def code_of(path):
    """(name, address, size) of each function's code: with ELFv1 through its descriptor."""
    functions = [s for s in symbols(path) if s.type == "FUNC" and s.section != "UND" and s.size > 0]
    if not DESCRIPTORS:
        return [(s.name, s.value, s.size) for s in functions]
    code = {int(place, 16): int(address, 16) for place, address in
            re.findall(r"^([0-9a-f]+) .* R_PPC64_RELATIVE +([0-9a-f]+)$", run(P["readelf"], "-rW", path), re.M)}
    # What kernels share has no descriptor.
    return [(s.name, code.get(s.value, s.value), s.size) for s in functions]


def bodies(path):
    """The instructions of each function, by its name."""
    code = {i.address: i for i in disassemble(path)}
    return {name: [code[a] for a in range(start, start + size, 4) if a in code] for name, start, size in code_of(path)}


def target(i):
    """Where a direct jump goes, else None."""
    at = re.search(r"\b([0-9a-f]+) <", i.operands)
    return int(at[1], 16) if at and i.mnemonic.startswith("b") else None


# By what an instruction needs. Mnemonics as objdump has them.
ANY = set(
    "add addi addis addic subf sub subfic neg mullw mulld and andi. andis. andc or ori oris nor not xor xori eqv "
    "mr li lis nop sldi srdi sld srd sradi clrldi clrlwi rldicl rldicr rldimi rlwinm rlwimi rotldi cntlzd extsw "
    "clrrdi mr. srdi. clrldi. rldicl. rlwinm. "
    "cmpld cmpldi cmplwi cmpdi cmpwi cmpw cmpd mtctr mfctr mflr mtlr bcl b bctr blr beqlr bnelr bdnz bdz "
    "beq bne blt bgt ble bge bltlr bgtlr "
    "lbz lbzx lbzu lhz lwz lwa ld ldu ldx stb stbx stbu sth stw std stdu stdx dcbt dcbtst dcbtct dcbtstct dcbtds dcbtstds eieio "
    "lfd stfd".split()
)
NEEDS = {m: {"ALTIVEC"} for m in "lvx stvx lvsl lvsr vperm".split()}
NEEDS |= {m: {"VSX"} for m in "lxvd2x stxvd2x xxspltd xxpermdi".split()}
NEEDS |= {m: {"VSX", "ISA_3_0"} for m in "lxv stxv lxvl stxvl".split()}
NEEDS["mtfprd"] = {"VSX", "ISA_2_07"}  # mtvsrd to the first 32
NEEDS["dcbz"] = {"dcbz"}
# Each level of the ISA has those before it.
LEVELS = ["ISA_2_05", "ISA_2_06", "ISA_2_07", "ISA_3_0", "ISA_3_1"]
# What kernels jump to (copy_overlap.S).
SHARED = ("fc_copy_down", "fc_copy_close")
# Those that look at fc_dcbz_size first.
ZEROING = {"cell", "ppc970", "dcbz"}
# The Cell executes them as microcode [Cell Broadband Engine Programming Handbook].
MICROCODED = re.compile(r".*\.$|s[lr](d|w|ad|aw)$|rld?w?cl|mfcr$|l[dwhb]zu?x?u$|ldu|stdu|lmw|stmw|lsw|stsw")

GENERAL_KEPT = set(range(14, 32)) | {1, 2, 13}


def forbidden(i):
    """A register that is not ours, or None."""
    for kind, number in re.findall(r"\b(r|f|v|vs|cr)(\d+)\b", i.operands.split("<")[0]):
        number = int(number)
        if kind == "r" and number in GENERAL_KEPT or kind == "f" and number >= 14 or kind == "v" and number >= 20 or \
                kind == "vs" and (14 <= number < 32 or number >= 52) or kind == "cr" and 2 <= number <= 4:
            return kind + str(number)
    return None


def check_instructions():
    """Each kernel executes only what its line in kernels.def asks for, keeps to its registers and needs no TOC."""
    code = bodies(P["shared"])
    shared = [name for name in SHARED if name in code]
    need(shared, "code that kernels share")
    starts = {body[0].address: name for name, body in code.items() if body and name.startswith("fastcopy_") or name in SHARED}
    zeroing = 0
    todo = [("fastcopy_%s_%s" % (op, variant), variant, needs) for family, variant, needs in kernels()
            for op in OPS_OF[family] if is_assembly(variant)] + [(name, "", set()) for name in shared]
    needs_of = {name: needs for name, _, needs in todo}
    for name, variant, needs in todo:
        body = code.get(name)
        if not body:
            fail("%s: no code" % name)
            continue
        allowed = set(needs)
        for level in LEVELS:
            if level in needs:
                allowed |= set(LEVELS[:LEVELS.index(level)])
        inside = range(body[0].address, body[-1].address + 4)
        text_of = ["%s: %x: %s %s: " % (name, i.address, i.mnemonic, i.operands) for i in body]
        for i, text in zip(body, text_of):
            wanted = NEEDS.get(i.mnemonic, set() if i.mnemonic in ANY else None)
            if wanted is None:
                fail(text + "not in elf_ppc64.py's tables")
            elif wanted == {"dcbz"}:
                zeroing += 1
                if variant not in ZEROING:
                    fail(text + "dcbz, in a kernel that may not have it")
                sizes = [j for j in body if j.address < i.address and j.mnemonic == "bcl"]
                if not sizes:
                    fail(text + "dcbz, and nobody has looked at its block")
            elif wanted - allowed:
                fail(text + "needs %s, which kernels.def does not say" % ", ".join(wanted - allowed))
            if variant in ("cell", "ppc970") and i.mnemonic.startswith("lv"):
                fail(text + "vectors")
            if variant == "cell" and MICROCODED.match(i.mnemonic):
                fail(text + "microcode on the Cell")
            if variant == "power7" and i.mnemonic in ("lxvd2x", "stxvd2x"):
                fail(text + "may be misaligned, which traps in cache-inhibited memory")
            if forbidden(i):
                fail(text + "%s is not ours" % forbidden(i))
            to = target(i)
            if to is None or to in inside or i.mnemonic == "bcl":
                continue
            # mempcpy goes on in memmove.
            if any(to == j.address for j in code.get(name.replace("mempcpy", "memmove"), ())):
                continue
            if to not in starts:
                fail(text + "jumps out")
            elif needs_of.get(starts[to], set()) - allowed:
                fail(text + "goes to a kernel that needs more")
    need(zeroing, "dcbz")


def unwinding_rules(path):
    """For each address where they change: (where the frame ends, where the return address is), from .eh_frame."""
    rows = {}
    column = False
    for line in run(P["readelf"], "--debug-dump=frames-interp", "-W", path).splitlines():
        at = re.search(r" FDE .* pc=([0-9a-f]+)\.\.", line)
        if at:
            rows[int(at[1], 16)] = ("r1+0", "u")  # until it says otherwise
        elif "LOC" in line:
            column = " ra" in line
            continue
        at = re.match(r"([0-9a-f]{16}) (r1\+\d+)\s*(.*)$", line)
        if at:
            rows[int(at[1], 16)] = (at[2], (at[3].split() or ["u"])[-1] if column else "u")
    return rows


def check_unwinding():
    """At each instruction of a kernel the unwind table says where its return address is: in lr, or in another register."""
    path = P["shared"]
    rows = unwinding_rules(path)
    moved = 0
    code = bodies(path)
    names = [n for n in code if n in SHARED or n in elf.kernel_symbols() and not n.endswith("_generic")]
    need(names, "kernels")
    for name in names:
        holder, pending = "u", None  # lr itself
        rule = None
        for i in code[name]:
            rule = rows.get(i.address, rule)
            if rule is None:
                fail("%s: %x: no unwind table" % (name, i.address))
                break
            # A copy of lr is as good as lr until that is gone.
            good = {holder} | ({pending} if pending else set())
            if rule[0] != "r1+0" or rule[1] not in good:
                fail("%s: %x: %s %s: the table says %s, the return address is in %s" %
                     (name, i.address, i.mnemonic, i.operands, rule, " or ".join(sorted(good))))
            if i.mnemonic == "mflr" and holder == "u":
                pending = i.operands
            elif i.mnemonic == "bcl":
                if pending is None:
                    fail("%s: %x: the return address is lost" % (name, i.address))
                    break
                holder, pending = pending, None
                moved += 1
            elif i.mnemonic == "mtlr":
                if i.operands != holder:
                    fail("%s: %x: the return address was in %s" % (name, i.address, holder))
                holder, pending = "u", holder
            elif i.operands.split(",")[0] == pending and not i.mnemonic.startswith(("st", "cmp", "b", "mtctr")):
                pending = None
            elif i.operands.split(",")[0] == holder and not i.mnemonic.startswith(("st", "cmp", "b", "mt", "dcb")):
                fail("%s: %x: %s %s: overwrites the return address" % (name, i.address, i.mnemonic, i.operands))
    need(moved, "kernel that moves its return address")


def check_functions():
    """Type, size, unwind table; ELFv1: each entry is a descriptor, ELFv2: its local entry is the global one."""
    for path in PRODUCTS:
        entries = [s for s in exported(path) if s.section != "ABS"]
        need(entries, "exported functions in " + LOCAL(path))
        frames = [(int(a, 16), int(b, 16)) for a, b in re.findall(
            r"FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)", run(P["readelf"], "--debug-dump=frames", path))]
        code = {name: (start, size) for name, start, size in code_of(path)}
        sections = dict(re.findall(r"\[ *(\d+)\] (\.\S+)", run(P["readelf"], "-SW", path)))
        for s in entries:
            what = "%s: %s: " % (LOCAL(path), s.name)
            if s.type not in ("FUNC", "IFUNC"):
                fail(what + "not a function but " + s.type)
            if s.size == 0:
                fail(what + "no size")
            if (sections.get(s.section) == ".opd") != DESCRIPTORS:
                fail(what + "in " + str(sections.get(s.section)))
            start, size = code.get(s.name, (None, 0))
            if path in elf.LIBRARIES and s.type == "FUNC" and \
                    not any(start is not None and a <= start and start + size <= b for a, b in frames):
                fail(what + "no unwind table")


if __name__ == "__main__":
    sys.exit(main(sys.modules[__name__]))
