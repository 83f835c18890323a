#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks on the built files: elf.py CHECK, with FC_PRODUCTS naming products.env (see CMakeLists.txt).

Every check prints all that it finds wrong and exits 1; one that finds nothing to look at fails too.
"""
import collections
import os
import re
import subprocess
import sys

failures = []


def fail(text):
    failures.append(text)
    print("FAILED:", text)


def need(count, what):
    """Guards a check against passing because it saw nothing."""
    if not count:
        fail("nothing to check: no " + what)


def run(*command, stdin=None):
    return subprocess.run(command, check=True, text=True, input=stdin, stdout=subprocess.PIPE).stdout


def read_products():
    with open(os.environ["FC_PRODUCTS"], encoding="utf-8") as file:
        return dict(re.findall(r"^(\w+)='(.*)'$", file.read(), re.M))


P = read_products()
OBJECTS = P["objects"].split(":")
PRELOADS = [P["preload"], P["trace"]]
LIBRARIES = [P["shared"]] + PRELOADS
PRODUCTS = LIBRARIES + [P["static"]]
LOCAL = os.path.basename

# ---- what the sources declare ---------------------------------------------------------------------

OPS_OF = {"memmove": ["memcpy", "memmove", "mempcpy"], "memset": ["memset"], "memcpy_nt": ["memcpy_nt"],
          "memset_nt": ["memset_nt"], "copy_page": ["copy_page"], "clear_page": ["clear_page"],
          "copy_page_nt": ["copy_page_nt"], "clear_page_nt": ["clear_page_nt"],
          "try_memcpy": ["try_memcpy"], "try_memset": ["try_memset"]}
OPS = [op for ops in OPS_OF.values() for op in ops]
IN_POINTER_FORM = {"fastcopy_try_memcpy", "fastcopy_try_memset"}  # always: the handler of faults moves them

# The whole of it: DESIGN.md, "Products".
PRELOAD_EXPORTS = set(
    "memcpy memmove mempcpy __mempcpy memset bcopy bzero __bzero "
    "__memcpy_chk __memmove_chk __mempcpy_chk __memset_chk".split()
)


def kernels():
    """(family, variant, {needs}) for each line of the kernel lists, by the C preprocessor."""
    directories = [P["source"] + "/src", P["source"] + "/src/arch/" + P["arch"]]
    text = run(P["cc"], "-E", "-P", *["-I" + d for d in directories], "-", stdin=
               "#define FC_KERNEL(family, variant, needs, traits, summary) @family@variant@needs@\n"
               '#include "all_kernels.def"\n')
    found = [(family, variant, set(re.findall(r"FC_CAP_(\w+)", needs)))
             for family, variant, needs in re.findall(r"@\s*(\w+)@(\w+)@([^@]*)@", text)]
    need(found, "kernels in the kernel lists")
    return found


def kernel_symbols():
    return {"fastcopy_%s_%s" % (op, variant): needs
            for family, variant, needs in kernels() for op in OPS_OF[family]}


# ---- what the files hold --------------------------------------------------------------------------

Symbol = collections.namedtuple("Symbol", "value size type bind section name")


def symbols(path, dynamic=False):
    """Named symbols, versions cut off."""
    out = run(P["readelf"], "-W", "--dyn-syms" if dynamic else "-s", path)
    found = []
    for line in out.splitlines():
        at = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\w+) (\w+)\s+(\w+)\s+\w+\s+(?:\[.*\]\s+)?(\w+) (\S+)", line)
        if at and at[3] not in ("FILE", "SECTION"):
            found.append(Symbol(int(at[1], 16), int(at[2], 0), at[3], at[4], at[5], at[6].split("@")[0]))
    return found


def exported(path):
    """Defined global symbols: of a library by its dynamic table, of an archive by its members'."""
    return [s for s in symbols(path, dynamic=path.endswith((".so", ".0")) or ".so." in path)
            if s.section != "UND" and s.bind in ("GLOBAL", "WEAK") and s.section != "ABS"]


def check_symbols():
    for path in PRELOADS:
        names = {s.name for s in exported(path)}
        for name in sorted(names ^ PRELOAD_EXPORTS):
            fail("%s: %s is %s" % (LOCAL(path), name, "exported" if name in names else "missing"))
        if "VERDEF" in run(P["readelf"], "-dW", path):
            fail("%s: a version node, which turns interposition off" % LOCAL(path))
    wanted = {"fastcopy_" + op for op in OPS} | set(kernel_symbols())
    wanted |= {"fastcopy_memcpy_device", "fastcopy_variants", "fastcopy_selected", "fastcopy_select", "fastcopy_dispatch"}
    wanted |= {"fastcopy_try_memcpy_nosig", "fastcopy_fault_install", "fastcopy_fault_handle", "fastcopy_fault_mode"}
    for path in (P["shared"], P["static"]):
        names = {s.name for s in exported(path)}
        for name in sorted(names ^ wanted):
            fail("%s: %s is %s" % (LOCAL(path), name, "exported" if name in names else "missing"))
    forms = {s.type for s in exported(P["shared"]) if s.name in {"fastcopy_" + op for op in OPS} - IN_POINTER_FORM}
    if forms != ({"IFUNC"} if P["ifunc"] == "ON" else {"FUNC"}):
        fail("shared library: FASTCOPY_DISPATCH does not match symbol types " + str(forms))
    for path in [P["static"]] + PRELOADS:
        if any(s.type == "IFUNC" for s in symbols(path)):
            fail("%s: has an IFUNC symbol" % LOCAL(path))


# All that we call. memcpy and its kin, strlen and so on may not come in: most would be calls that a
# compiler made of our loops, and land in ourselves.
CALLED = set(
    "abort write __chk_fail __errno_location secure_getenv snprintf dprintf sched_yield strcmp "
    "__x86_get_cpuid_feature_leaf __libc_stack_end "
    "__snprintf_chk __dprintf_chk "  # with -D_FORTIFY_SOURCE
    "sigaction sigemptyset sigaddset sigprocmask "  # by the handler of faults and its installation
    ".TOC.".split()  # ppc64's name for its table of contents: no call
)
if P["arch"] != "x86_64":
    CALLED.add("getauxval")  # by constructors; resolvers are told
if P["arch"] == "other":
    CALLED.add("syscall")  # by try.c, which has system calls of its own elsewhere
# The recorder's constructor opens and maps a file.
CALLED_BY_TRACE = set("open fstat mmap munmap madvise close sysconf".split())
# The distribution's cpu_features is compiled with it.
CALLED_BY_CPU_FEATURES = {"__stack_chk_fail"} if P["cpu_features"] == "1" else set()


def check_undefined():
    for path in OBJECTS + PRODUCTS:
        ours = CALLED | (CALLED_BY_CPU_FEATURES if path in PRODUCTS else {"GetX86Info"})
        if path == P["trace"] or "/fc_trace.dir/" in path:
            ours |= CALLED_BY_TRACE
        found = symbols(path)
        need(found, "symbols in " + LOCAL(path))
        for name in sorted({s.name for s in found if s.section == "UND"}):
            internal = name.startswith(("fc_", "fastcopy_")) and path in OBJECTS
            if name not in ours and not internal and name != "_GLOBAL_OFFSET_TABLE_":
                fail("%s: calls %s" % (LOCAL(path), name))


def check_flags():
    cet = re.compile(r"x86 feature: IBT, SHSTK")
    for path in LIBRARIES:
        dynamic = run(P["readelf"], "-dW", path)
        for word, wanted in (("NODELETE", True), ("BIND_NOW", True), ("TEXTREL", False), ("RPATH", False),
                             ("RUNPATH", False)):
            if (re.search(r"\b%s\b" % word, dynamic) is not None) != wanted:
                fail("%s: %s %s" % (LOCAL(path), "lacks" if wanted else "has", word))
        headers = run(P["readelf"], "-lW", path)
        stack = re.search(r"GNU_STACK.* (R\w*) ", headers)
        if not stack or "E" in stack[1]:
            fail("%s: executable stack" % LOCAL(path))
        if "GNU_RELRO" not in headers:
            fail("%s: no RELRO" % LOCAL(path))
        if re.search(r"LOAD.* RWE ", headers):
            fail("%s: a segment that is writable and executable" % LOCAL(path))
    for path in OBJECTS + [P["static"]]:
        sections = run(P["readelf"], "-SW", path)
        stack = re.search(r"\.note\.GNU-stack .*", sections)
        # On big-endian ppc64 (ELFv1) stacks are not executable unless asked for: no note says so.
        if not stack and "PowerPC64" in run(P["readelf"], "-hW", path):
            continue
        if not stack or re.search(r"\bX\b", stack[0]):
            fail("%s: asks for an executable stack" % LOCAL(path))
    if P["arch"] == "x86_64":
        for path in OBJECTS + PRODUCTS:
            if not cet.search(run(P["readelf"], "-nW", path)):
                fail("%s: no IBT and SHSTK note" % LOCAL(path))


def check_machine_code():
    """LTO bytecode is silently ignored by other compilers."""
    for path in OBJECTS + [P["static"]]:
        sections = run(P["readelf"], "-SW", path)
        if ".gnu.lto_" in sections or ".llvmbc" in sections:
            fail("%s: LTO bytecode" % LOCAL(path))
        if not re.search(r"\.text\S* +PROGBITS", sections):
            fail("%s: no machine code" % LOCAL(path))


# ---- x86_64: instructions -------------------------------------------------------------------------

Instruction = collections.namedtuple("Instruction", "address code mnemonic operands")


def disassemble(path):
    found = []
    for line in run(P["objdump"], "-dw", path).splitlines():
        at = re.match(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t?(.*)", line)
        if at:
            text = re.sub(r"^((notrack|bnd|lock|rep|repz|repnz|data16|cs|ds|es|ss|gs|fs) )+",
                          lambda m: "rep " if "rep" in m[0] else "", at[3].split(" #")[0].strip())
            if text.startswith("rep "):
                text = text.replace(" ", "_", 1)
            mnemonic, _, operands = text.partition(" ")
            found.append(Instruction(int(at[1], 16), bytes.fromhex(at[2]), mnemonic, operands.strip()))
    need(found, "instructions in " + LOCAL(path))
    return found


class Code:
    """A library's functions by address, with what each refers to."""

    disassemble = staticmethod(disassemble)

    def __init__(self, path):
        self.path = path
        self.instructions = self.disassemble(path)
        functions = [s for s in symbols(path) if s.type in ("FUNC", "IFUNC") and s.section != "UND"]
        self.size = {}
        self.name = {}
        for s in functions:
            self.size[s.value] = max(s.size, self.size.get(s.value, 0))
            self.name.setdefault(s.value, s.name)
        self.value = {s.name: s.value for s in functions}
        self.of = {}
        starts = sorted(self.size)
        self.body = {start: [] for start in starts}
        bound = iter(starts + [1 << 64])
        current, following = None, next(bound)
        for i in self.instructions:
            while i.address >= following:
                current, following = following, next(bound)
            if current is not None and i.address < current + self.size[current]:
                self.body[current].append(i)
                self.of[i.address] = current

    @staticmethod
    def target(i):
        """Where a direct jump or call goes, else None."""
        at = re.match(r"([0-9a-f]+) <", i.operands)
        return int(at[1], 16) if at and re.match(r"j|call|xbegin|loop", i.mnemonic) else None

    @staticmethod
    def data(i):
        """The address of a PC-relative operand, else None."""
        at = re.search(r"(-?0x[0-9a-f]+)\(%rip\)", i.operands)
        return i.address + len(i.code) + int(at[1], 16) if at else None

    def reachable(self, starts):
        """Functions that these jump to, call or take the address of, themselves included."""
        seen, todo = set(), list(starts)
        while todo:
            start = todo.pop()
            if start in seen:
                continue
            seen.add(start)
            for i in self.body[start]:
                for address in (self.target(i), self.data(i)):
                    if self.of.get(address) is not None:
                        todo.append(self.of[address])
        return seen


def check_functions(disassemble=disassemble, is_landing_pad=lambda i: i.mnemonic == "endbr64"):
    """Type, size, landing pad, unwind table: what profilers, debuggers and CET or BTI need of an entry."""
    for path in PRODUCTS:
        entries = [s for s in exported(path) if s.section != "ABS"]
        need(entries, "exported functions in " + LOCAL(path))
        code = {i.address: i for i in disassemble(path)}
        frames = [(int(a, 16), int(b, 16)) for a, b in re.findall(
            r"FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)", run(P["readelf"], "--debug-dump=frames", path))]
        for s in entries:
            what = "%s: %s: " % (LOCAL(path), s.name)
            if s.type not in ("FUNC", "IFUNC"):
                fail(what + "not a function but " + s.type)
            if s.size == 0:
                fail(what + "no size")
            if s.value not in code or not is_landing_pad(code[s.value]):
                fail(what + "does not begin with a landing pad")
            if path in LIBRARIES and not any(a <= s.value and s.value + s.size <= b for a, b in frames):
                fail(what + "no unwind table")


# What may be reached before relocation: a weak GOT entry that is then 0 and means "absent", and the
# word that tells whether relocation has been.
GOT_ALLOWED = {"__libc_stack_end", "__x86_get_cpuid_feature_leaf"}
WORDS_ALLOWED = re.compile(r"(relocated\.)?self(\.\d+)?$")  # as gcc and clang name it
# Calls on the way to abort().
CALLS_ALLOWED = {"__chk_fail", "write", "abort", "__stack_chk_fail"}
CALLS_ALLOWED.add("__errno_location")  # by the system-call variant of try_memcpy, where the system has no such call
if P["arch"] == "aarch64":
    CALLS_ALLOWED |= {"getauxval", "__errno_location"}  # not by resolvers, which are told (before glibc 2.30 they are not)


def check_resolver(kind=Code):
    """Code that runs before relocation touches nothing that is relocated and calls nothing outside."""
    if not any(s.name == "fc_kernels" for s in symbols(P["shared"])):
        fail("shared library: no symbol fc_kernels")
    for path in LIBRARIES:
        code = kind(path)
        relocated = {}
        for line in run(P["readelf"], "-rW", path).splitlines():
            at = re.match(r"([0-9a-f]{16}) .{16,17} R_[A-Z0-9_]+\s*(?:[0-9a-f]{16} (\w+))?", line)
            if at:
                relocated[int(at[1], 16)] = at[2] or ("TLS" if re.search("TPOFF64|TPREL64", line) else "")
        need(relocated, "relocations in " + LOCAL(path))
        sections = {}
        for at in re.finditer(r"\] (\.\S+) +\w+ +([0-9a-f]{16}) [0-9a-f]{6} ([0-9a-f]{6})",
                              run(P["readelf"], "-SW", path)):
            if at[1] != ".tbss":  # takes no addresses
                sections[at[1]] = range(int(at[2], 16), int(at[2], 16) + int(at[3], 16))
        unsafe = {name: r for name, r in sections.items() if any(address in r for address in relocated)}
        for name in unsafe:
            if not re.match(r"\.(data|got|init_array|fini_array|data\.rel\.ro)", name):
                fail("%s: relocations in %s" % (LOCAL(path), name))
        objects = {s.name: s for s in symbols(path)}
        table = objects.get("fc_kernels")
        if table and not (".rodata" in sections and table.value in sections[".rodata"]):
            fail("%s: fc_kernels is not in .rodata" % LOCAL(path))
        words = {s.value for s in objects.values() if WORDS_ALLOWED.match(s.name)}
        entries = [s.value for s in exported(path)
                   if path in PRELOADS or s.name in {"fastcopy_" + op for op in OPS}]
        entries.append(code.value["fc_dispatch_init"])
        # The recorder looks at its thread-local number only after its constructor.
        allowed = GOT_ALLOWED | CALLS_ALLOWED | ({"TLS"} if path == P["trace"] else set())
        seen = code.reachable(entries)
        for name in ("fc_kernel_entry", "fc_policy_decide", "fc_cpu_detect", "fc_tunables_parse"):
            if name in code.value and code.value[name] not in seen:
                fail("%s: %s is not reached: the check is blind" % (LOCAL(path), name))
        for start in seen:
            for i in code.body[start]:
                what = "%s: %s: %s %s: " % (LOCAL(path), code.name[start], i.mnemonic, i.operands)
                call = re.search(r"<(\w+)@plt>", i.operands)
                if call and call[1] not in CALLS_ALLOWED:
                    fail(what + "call through the PLT")
                data = code.data(i)
                if data is None or data in words:
                    continue
                for name, r in unsafe.items():
                    if data in r and relocated.get(data) not in allowed:
                        fail(what + "relocated data in " + name)


# Mnemonics, AT&T suffixes cut off.
GENERAL = set(
    "mov movabs movzx movsx movz movzb movzw movzbl movzwl movzbw movslq movsb movsw movsbl movswl "
    "lea add sub adc sbb and or xor not neg inc dec "
    "cmp test shl shr sar rol ror imul mul div bt bts btr bswap cqto cltq cltd "
    "jmp ret call nop nopw nopl xchg push pop endbr64 leave int3 ud2 rep_movsb rep_movsq rep_stosb rep_stosq "
    "rep_movsb rep_stos rep_movs".split()
)
CONDITIONAL = re.compile(r"(j|cmov|set)n?(o|b|ae|c|e|z|a|be|s|p|pe|po|l|ge|g|le)[bwlq]?$")
SSE2 = set(
    "movups movaps movdqu movdqa movntps movntdq movnti movq movd movlps movhps movlpd movhpd movss movsd "
    "punpcklqdq punpcklbw punpcklwd punpckldq pshufd pshuflw shufps por pxor pand xorps orps "
    "sfence lfence mfence prefetcht0 prefetcht1 prefetcht2 prefetchnta pause".split()
)
MMX = {"movntq", "emms"}  # every x86_64 has them
SSSE3 = {"palignr", "pshufb"}
BMI2 = set("bzhi mulx pdep pext rorx sarx shlx shrx".split())
AVX = set(
    "vmovups vmovaps vmovdqu vmovdqa vmovntps vmovntdq vmovq vmovd vmovlps vmovhps vmovss vmovsd "
    "vpunpcklqdq vinsertf128 vextractf128 vbroadcastss vxorps vorps vzeroupper vzeroall vpshufb vpalignr "
    "vpxor vpor".split()
)
# With 32-byte registers these integer operations are AVX2.
AVX2_IF_WIDE = {"vpshufb", "vpalignr", "vpxor", "vpor", "vpunpcklqdq"}
AVX2 = {"vpbroadcastb", "vpbroadcastq", "vinserti128", "vextracti128"}
AVX512F = set(
    "vmovups vmovaps vmovdqu32 vmovdqu64 vmovdqa32 vmovdqa64 vmovntps vmovntdq vmovq vmovd vpbroadcastq "
    "vpbroadcastd vpternlogd vpternlogq vpxord vpxorq valignq valignd kmovw".split()
)
AVX512BW = set("vmovdqu8 vmovdqu16 vpbroadcastb kmovd kmovq".split())
IMPLIES = {"AVX512BW": {"AVX512F"}, "AVX512VL": {"AVX512F"}, "AVX512F": {"AVX2", "AVX", "SSSE3"},
           "AVX2": {"AVX", "SSSE3"}, "AVX": {"SSSE3"}}


def closure(features):
    while True:
        more = features.union(*(IMPLIES.get(f, set()) for f in features))
        if more == features:
            return features
        features = more


def is_vex(i):
    """VEX or EVEX: in 64-bit code these first bytes mean nothing else."""
    return i.code[0] in (0x62, 0xC4, 0xC5)


def features(i):
    """The features that an instruction needs; None where this table does not know it."""
    plain = i.mnemonic
    if not is_vex(i):
        if plain == "clzero":
            return {"CLZERO"}
        if plain in SSE2 or plain in MMX:
            return set()
        if plain in SSSE3:
            return {"SSSE3"}
        if plain in GENERAL or plain.rstrip("bwlq") in GENERAL or plain[:-1] in GENERAL or \
                CONDITIONAL.match(plain):
            return set()
        return None
    if i.code[0] == 0x62 or "%k" in i.operands:
        kinds = {"AVX512F"}
        if i.code[0] == 0x62 and "%zmm" not in i.operands:
            # Scalar moves between general and vector registers come with F.
            if not (plain in ("vmovq", "vmovd")):
                kinds.add("AVX512VL")
        if plain in AVX512BW:
            return kinds | {"AVX512BW"}
        return kinds if plain in AVX512F else None
    if plain in BMI2:
        return {"BMI2"}
    if plain in AVX2 or (plain in AVX2_IF_WIDE and "%ymm" in i.operands):
        return {"AVX2"}
    if plain in ("vbroadcastss",) and "(" not in i.operands:
        return {"AVX2"}
    return {"AVX"} if plain in AVX else None


def is_assembly(variant):
    return variant not in ("generic", "syscall")


def check_instructions():
    """Each kernel executes only what its line in kernels.def asks for; C code, only the baseline."""
    code = Code(P["shared"])
    for family, variant, needs in kernels():
        allowed = closure(needs)
        for op in OPS_OF[family]:
            name = "fastcopy_%s_%s" % (op, variant)
            if name not in code.value:
                continue  # reported by check_symbols
            used = collections.defaultdict(list)
            for start in code.reachable([code.value[name]]):
                for i in code.body[start]:
                    found = features(i)
                    text = "%x: %s %s" % (i.address, i.mnemonic, i.operands)
                    if found is None and is_assembly(variant):
                        fail("%s: %s: not in elf.py's tables" % (name, text))
                    for feature in (found or set()) - allowed:
                        used[feature].append(text)
            for feature, where in used.items():
                fail("%s: needs %s, which kernels.def does not say: %s" % (name, feature, where[0]))
    compiled = [path for path in OBJECTS if path.endswith(".c.o")]
    need(compiled, "objects from C")
    for path in compiled:
        for i in disassemble(path):
            if is_vex(i):
                fail("%s: %s %s: beyond the baseline" % (LOCAL(path), i.mnemonic, i.operands))


def leaves(code, start, i):
    """Does this instruction leave the function that begins at start?"""
    if i.mnemonic.startswith(("ret", "call")):
        return True
    target = code.target(i)
    return target is not None and code.of.get(target) != start


def check_state():
    """On every path out of a kernel: streaming stores fenced, upper halves of ymm0-15 cleared."""
    streams = re.compile(r"v?movnt(ps|pd|dq|q|i)[ql]?$|clzero|movdir64b")
    code = Code(P["shared"])
    seen = {"a streaming store": 0, "a use of ymm0-15": 0}
    for family, variant, _ in kernels():
        if not is_assembly(variant):
            continue
        for op in OPS_OF[family]:
            name = "fastcopy_%s_%s" % (op, variant)
            start = code.value.get(name)
            if start is None:
                continue
            body = code.body[start]
            place = {i.address: k for k, i in enumerate(body)}
            # Entered clean at the top, and at each place that other kernels jump to.
            todo = [(0, False, False)]
            todo += [(place[s], False, False) for n, s in code.value.items() if s in place]
            todo += [(place[code.target(i)], False, False) for i in code.instructions
                     if code.target(i) in place and code.of.get(i.address) != start]
            done = set()
            while todo:
                at = todo.pop()
                if at in done or at[0] >= len(body):
                    continue
                done.add(at)
                k, unfenced, dirty = at
                i = body[k]
                if streams.match(i.mnemonic):
                    unfenced = True
                    seen["a streaming store"] += 1
                elif i.mnemonic in ("sfence", "mfence"):
                    unfenced = False
                elif i.mnemonic in ("vzeroupper", "vzeroall"):
                    dirty = False
                elif re.search(r"%ymm(\d|1[0-5])$", i.operands):
                    dirty = True
                    seen["a use of ymm0-15"] += 1
                if leaves(code, start, i):
                    where = "%s: %x: %s %s: " % (name, i.address, i.mnemonic, i.operands)
                    if unfenced:
                        fail(where + "leaves without sfence after streaming stores")
                    if dirty:
                        fail(where + "leaves without vzeroupper after ymm0-15")
                target = code.target(i)
                if target in place:
                    todo.append((place[target], unfenced, dirty))
                if i.mnemonic not in ("jmp", "ret"):
                    todo.append((k + 1, unfenced, dirty))
    for what, count in seen.items():
        need(count, what)


def main(module):
    check = getattr(module, "check_" + (sys.argv[1] if len(sys.argv) == 2 else ""), None)
    if check is None:
        print("usage:", LOCAL(sys.argv[0]), "|".join(n[6:] for n in dir(module) if n.startswith("check_")))
        return 2
    check()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.modules[__name__]))
