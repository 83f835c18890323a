# SPDX-License-Identifier: MIT
"""A model of how the Cell's PPE reaches memory: small enough to be read, for access streams of copies.

In order, two instructions a cycle, of which one may be a load or a store. A load that misses does not stop what follows it until its
register is wanted. Stores go through the store queue to the L2 in order; a store to a line that the L2 does not have fetches the line
first (read for ownership), other lines' stores go on beside it as far as the L2's queue reaches. dcbt fetches a line without waiting.
dcbz makes a line without fetching it. The L2 writes a dirty line back when it takes a new one.

It has no TLB, no refresh, no second thread, no banks, no branch that is predicted wrongly, and no other cost of an instruction than
below. What it is for: which lines are fetched when, and so how far ahead dcbt and dcbz belong.
"""
import heapq
from collections import OrderedDict, namedtuple

# What is known of the PPE. These were written down, and committed, before anything was compared with the founding table, and are
# not to be changed for its sake. "not looked up": from memory of the named document, which could not be had here.
PARAMETERS = {
    # name: (value, source)
    "frequency": (3.2e9, "PlayStation 3 and QS22: 3.2 GHz [IBM and Sony, product data]"),
    "line": (128, "bytes [Cell Broadband Engine Programming Handbook (CBEH), PPE caches]"),
    "issue": (2, "instructions a cycle, in order [CBEH, PPE; the 2008 report's setting, ARCHES of this project's issue]"),
    "l1_lines": (32768 // 128, "32 KiB [CBEH]"),
    "l2_lines": (524288 // 128, "512 KiB [CBEH]"),
    "fixed_point_latency": (2, "cycles [CBEH, PPE instruction latencies; not looked up]"),
    "l1_latency": (4, "cycles from a load to its use [CBEH, PPE instruction latencies; not looked up]"),
    "l2_latency": (40, "cycles [CBEH; not looked up]"),
    "memory_latency": (400, "cycles [issue of this project; CBEH gives no single figure]"),
    "memory_bandwidth": (25.6e9, "bytes a second, reads and writes together: XDR [IBM, Cell architecture papers]"),
    "loads_missing": (8, "loads on their way to the L2 at once [public descriptions of the PPE: 'up to 8 load instructions']"),
    "lines_fetching": (6, "lines on their way from memory: the L2's read-and-claim machines [CBEH, L2; not looked up]"),
    "store_queue": (16, "stores [CBEH, load/store unit; not looked up]"),
    "l2_store_queue": (8, "lines that stores wait for [CBEH, L2; not looked up]"),
    "microcode": (11, "cycles more for an instruction in microcode: its stages [Chen and others, Cell Broadband Engine Architecture "
                      "and its first implementation (2005)]; a misaligned access across 32 bytes is one [CBEH]"),
}
P = {name: value for name, (value, _) in PARAMETERS.items()}

# kind: load, store, dcbt, dcbz or other; reads, writes: registers.
Access = namedtuple("Access", "kind address size reads writes")


class Ppe:
    def __init__(self):
        self.time = 0.0  # of the last instruction that was issued
        self.slots = 0  # taken in this cycle
        self.memory_port = -1.0
        self.ready = {}  # registers
        self.l1 = OrderedDict()  # line: when it is there
        self.l2 = OrderedDict()  # line: [when it is there, dirty]
        self.fetching = []  # when each ends
        self.missing = []
        self.bus_free = 0.0
        self.stores = []  # when each leaves the store queue
        self.last_store = 0.0
        self.owning = {}  # lines that stores wait for: when they are there
        self.fetched = self.written = 0  # lines

    def fill(self, dirty):
        """The L2 full of lines of others, of which this part is dirty: as in the middle of a long copy."""
        for i in range(P["l2_lines"]):
            self.l2[-1 - i] = [0.0, i < dirty * P["l2_lines"]]
        self.l2 = OrderedDict(sorted(self.l2.items(), key=lambda item: item[0] * 7919 % 4093))

    def _bus(self, at):
        begin = max(at, self.bus_free)
        self.bus_free = begin + P["line"] / P["memory_bandwidth"] * P["frequency"]
        return self.bus_free

    def _allocate(self, line, at, dirty):
        if line in self.l2:
            self.l2.move_to_end(line)
            self.l2[line][1] |= dirty
            return
        if len(self.l2) >= P["l2_lines"]:
            _, (_, old) = self.l2.popitem(last=False)
            if old:
                self._bus(at)
                self.written += 1
        self.l2[line] = [at, dirty]

    def _fetch(self, line, at):
        """Into the L2, unless it is there or on its way; when it is there."""
        if line in self.l2:
            self.l2.move_to_end(line)
            return max(at + P["l2_latency"], self.l2[line][0])
        if len(self.fetching) >= P["lines_fetching"]:
            at = max(at, heapq.heappop(self.fetching))
        self.fetched += 1
        there = max(at + P["memory_latency"], self._bus(at))
        heapq.heappush(self.fetching, there)
        self._allocate(line, there, False)
        return there

    def _l1(self, line, at):
        self.l1[line] = at
        self.l1.move_to_end(line)
        if len(self.l1) > P["l1_lines"]:
            self.l1.popitem(last=False)

    def _load(self, line, at):
        """When its bytes are there."""
        if line in self.l1:
            self.l1.move_to_end(line)
            return max(at + P["l1_latency"], self.l1[line])
        while self.missing and self.missing[0] <= at:
            heapq.heappop(self.missing)
        if len(self.missing) >= P["loads_missing"]:
            at = heapq.heappop(self.missing)
            self.time = max(self.time, at)
        there = self._fetch(line, at)
        heapq.heappush(self.missing, there)
        self._l1(line, there)
        return there

    def _store(self, line, at, whole):
        """Through the store queue; `whole`: dcbz. It waits only for room."""
        while self.stores and self.stores[0] <= at:
            heapq.heappop(self.stores)
        if len(self.stores) >= P["store_queue"]:
            at = max(at, heapq.heappop(self.stores))
            self.time = max(self.time, at)
        leaves = max(at, self.last_store) + 1
        self.owning = {other: there for other, there in self.owning.items() if there > leaves}
        if line in self.owning:
            pass
        elif line in self.l2 and self.l2[line][0] <= leaves:
            self._allocate(line, leaves, True)
        else:
            if len(self.owning) >= P["l2_store_queue"]:
                leaves = max(leaves, min(self.owning.values()))
                self.owning = {other: there for other, there in self.owning.items() if there > leaves}
            if whole:
                self._allocate(line, leaves + P["l2_latency"], True)
            else:
                self.owning[line] = self._fetch(line, leaves)
                self._allocate(line, leaves, True)
        self.last_store = leaves
        heapq.heappush(self.stores, leaves)

    def run(self, stream):
        """The cycles that a stream of Accesses takes, until its last instruction is issued and its last store gone."""
        begin = self.time
        for access in stream:
            at = max([self.time] + [self.ready.get(register, 0.0) for register in access.reads])
            if at > self.time:
                self.slots = 0
            elif self.slots >= P["issue"]:
                at, self.slots = at + 1, 0
            is_memory = access.kind != "other"
            if is_memory and at < self.memory_port + 1:
                at, self.slots = self.memory_port + 1, 0
            self.time = at
            self.slots += 1
            there = at + P["fixed_point_latency"]
            if is_memory:
                line = access.address // P["line"]
                if access.size and access.address % 32 + access.size > 32:
                    self.time += P["microcode"]
                self.memory_port = self.time
                if access.kind == "load":
                    there = self._load(line, self.time)
                    if (access.address + access.size - 1) // P["line"] != line:
                        there = max(there, self._load(line + 1, self.time))
                elif access.kind == "dcbt":
                    self._load(line, self.time)
                else:
                    self._store(line, self.time, access.kind == "dcbz")
                    if access.size and (access.address + access.size - 1) // P["line"] != line:
                        self._store(line + 1, self.time, False)
            for register in access.writes:
                self.ready[register] = there
        return max(self.time, self.last_store) - begin


def megabytes_per_second(size, cycles):
    return size / cycles * P["frequency"] / 1e6
