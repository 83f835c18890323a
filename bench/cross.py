# SPDX-License-Identifier: MIT
"""What bench/insns/count and bench/mca/score share: machines that are not here, and their tools."""
import importlib.machinery
import importlib.util
import os
import re
import struct
import subprocess
from collections import namedtuple

Machine = namedtuple("Machine", "qemu triplet")
# By e_machine and byte order.
MACHINES = {
    (183, 1): Machine("aarch64", "aarch64-linux-gnu"),
    (21, 2): Machine("ppc64", "powerpc64-linux-gnu"),
    (21, 1): Machine("ppc64le", "powerpc64le-linux-gnu"),
    (62, 1): Machine("x86_64", "x86_64-linux-gnu"),
}
MISSING = 77  # exit status: a tool is not installed


class Failure(Exception):
    pass


class Missing(Failure):
    pass


def run(*command, **options):
    """The command's output."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise Missing("%s is not installed" % command[0]) from None
    if done.returncode != 0:
        raise Failure("%s: %s" % (" ".join(map(str, command)), done.stderr.strip() or "status %d" % done.returncode))
    return done.stdout


def library_of(build):
    """Our shared library: itself, or in its build folder."""
    return os.path.abspath(os.path.join(build, "libfastcopy.so.0") if os.path.isdir(build) else build)


def machine_of(file):
    with open(file, "rb") as opened:
        head = opened.read(20)
    if head[:4] != b"\x7fELF":
        raise Failure("%s is no ELF file" % file)
    key = struct.unpack_from("<H" if head[5] == 1 else ">H", head, 18)[0], head[5]
    if key not in MACHINES:
        raise Missing("%s: no tools for its kind of machine" % file)
    return MACHINES[key]


def peer_library(machine, folder, file, symbol):
    """A shared library as it is; anything else that the compiler can link as one; "libc": its archive's kernel."""
    if file.endswith(".so") or ".so." in file:
        return os.path.abspath(file)
    if file == "libc":
        found = [each for each in libc_objects(machine, folder)
                 if re.search(r" [TD] %s$" % re.escape(symbol), run(machine.triplet + "-nm", each), re.M)]
        if not found:
            raise Failure("%s is not in libc's archive" % symbol)
        file = found[0]
    linked = os.path.join(folder, os.path.basename(file) + ".so")
    run(machine.triplet + "-gcc", "-shared", "-nostdlib", "-o", linked, file)
    return linked


def libc_objects(machine, folder):
    """The objects with libc's copy kernels, which have their names, out of its archive into a folder."""
    archive = run(machine.triplet + "-gcc", "-print-file-name=libc.a").strip()
    if not os.path.exists(archive):
        return []
    members = re.findall(r"^mem(?:cpy|move)[-_](?!chk).*\.o$", run(machine.triplet + "-ar", "t", archive), re.M)
    run(machine.triplet + "-ar", "x", archive, *members, cwd=folder)
    return [os.path.join(folder, member) for member in members]


def load(command):
    """A command as a module, for its test."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(command), command)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def finish(name, main):
    """Runs a command's main(), and says what went wrong."""
    try:
        return main()
    except Missing as missing:
        print("SKIPPED: %s" % missing)
        return MISSING
    except (Failure, OSError) as failure:
        return "%s: %s" % (name, failure)
