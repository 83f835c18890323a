# SPDX-License-Identifier: MIT
"""The programs that bench/apps/run measures: what each needs, prepares and runs.

A new one is a class here with @app. All inputs are made from the seed, so that every machine runs the same.
"""
import itertools
import os
import pathlib
import platform
import random
import shutil
import socket
import subprocess
import sys
import time
from collections import namedtuple

SEED = 2026
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of one run: seconds of the processor in user and in system mode, and by the clock; Joules or None.
Usage = namedtuple("Usage", "user system elapsed energy")

APPS = {}


def app(cls):
    APPS[cls.name] = cls
    return cls


class Failure(Exception):
    """What was run did not do its work."""


class Process:
    """A program with all that it starts: one tree of processes, whose times the kernel adds up."""

    def __init__(self, command, env, cwd):
        self.command = command
        self.log = open(os.path.join(cwd, "stderr.log"), "w+b")
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self.log)

    def wait(self):
        """Usage of the process and of every descendant that was waited for."""
        _, status, used = os.wait4(self.process.pid, 0)
        elapsed = time.perf_counter() - self.began
        self.process.returncode = os.waitstatus_to_exitcode(status)
        with self.log:
            if self.process.returncode != 0:
                self.log.seek(0)
                raise Failure("%s: exit status %d: %s" % (self.command[0], self.process.returncode,
                                                         self.log.read().decode(errors="replace").strip()))
        return Usage(used.ru_utime, used.ru_stime, elapsed, None)


class App:
    name = ""
    what = ""           # one line for --list
    needs = {}          # program: Debian package
    quantity = "work"   # what is compared: see compare() in run
    judged = True       # whether a loss counts against --max-loss
    together = True     # whether the contenders may run at the same time on one CPU

    def __init__(self, directory, scale):
        self.directory = pathlib.Path(directory)
        self.scale = scale

    @classmethod
    def missing(cls):
        """Why it cannot run here, or None."""
        absent = [program for program in cls.needs if shutil.which(program) is None]
        if not absent:
            return None
        return "no %s; on Debian: apt-get install %s" % (
            ", ".join(absent), " ".join(sorted({cls.needs[program] for program in absent})))

    def times(self, count):
        """A number of repetitions, by --scale."""
        return max(1, round(count * self.scale))

    def prepare(self):
        """Makes the inputs in self.directory, once. Each contender then gets a copy of it."""

    def before(self, directory):
        """Before each run, not measured."""

    def command(self):
        raise NotImplementedError

    def run(self, directory, env, prefix=()):
        """One run in a directory, after `prefix` (a command that runs another); its Usage."""
        return Process([*prefix, *self.command()], env, directory).wait()


def text(size):
    """Words of made-up prose: compresses like English, to about a third."""
    source = random.Random(SEED)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = [1 / (i + 2) for i in range(len(letters))]
    words = ["".join(source.choices(letters, weights, k=source.randint(2, 9))) for _ in range(4000)]
    cumulative = list(itertools.accumulate(1 / (i + 3) for i in range(len(words))))
    parts, length = [], 0
    while length < size:
        sentence = " ".join(source.choices(words, cum_weights=cumulative, k=source.randint(4, 14)))
        if parts and source.random() < 0.2:
            sentence = source.choice(parts[-200:])  # repeats, as prose and logs have
        parts.append(sentence)
        length += len(sentence) + 2
    return (".\n".join(parts)).encode()[:size]


# ---- databases ----------------------------------------------------------------------------------------

@app
class SqliteInsert(App):
    name = "sqlite-insert"
    what = "sqlite3: inserts rows of 64 to 1063 bytes into a table with an index, in one transaction"
    needs = {"sqlite3": "sqlite3"}

    # The seed of all rows is one string, made by arithmetic.
    script = """
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
        CREATE TABLE seed (s BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4096)
            INSERT INTO seed SELECT CAST(group_concat(printf('%016x', i * 2654435761), '') AS BLOB) FROM n;
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
        CREATE INDEX by_name ON t (name);
        BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %(rows)d)
            INSERT INTO t SELECT i, printf('name %08x', i * 2654435761 % 4294967296),
                                 substr(s, 1 + i * 7919 % 60000, 64 + i * 7907 % 1000) FROM n, seed;
        COMMIT;
        """

    def prepare(self):
        (self.directory / "insert.sql").write_text(self.script.replace("%(rows)d", str(self.times(250000))))

    def before(self, directory):
        (directory / "insert.db").unlink(missing_ok=True)

    def command(self):
        return ["sqlite3", "insert.db", ".read insert.sql"]


@app
class SqliteBlobs(App):
    name = "sqlite-blobs"
    what = "sqlite3: reads blobs of 1 KiB to 64 KiB in another order than they were written"
    needs = {"sqlite3": "sqlite3"}

    def prepare(self):
        script = SqliteInsert.script.split("CREATE TABLE t")[0] + """
            CREATE TABLE b (id INTEGER PRIMARY KEY, data BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1009)
                INSERT INTO b SELECT i, substr(s, 1, 1024 << (i % 7)) FROM n, seed;
            """
        (self.directory / "make.sql").write_text(script)
        subprocess.run(["sqlite3", "blobs.db", ".read make.sql"], cwd=self.directory, check=True,
                       stdout=subprocess.DEVNULL)
        # max() has to look at the blob itself, not only at its length.
        (self.directory / "read.sql").write_text("""
            PRAGMA cache_size = -65536;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
                SELECT max(substr(data, 1 + i %% 500)) FROM n JOIN b ON b.id = 1 + i * 577 %% 1009;
            """ % self.times(250000))

    def command(self):
        return ["sqlite3", "blobs.db", ".read read.sql"]


class Redis(App):
    """The server's own times. The client takes turns with it on the same CPU and is not measured."""
    needs = {"redis-server": "redis-server"}
    size = requests = 0

    def command(self):
        return ["redis-server", "--port", "0", "--unixsocket", "redis.sock", "--save", "", "--appendonly", "no",
                "--daemonize", "no", "--logfile", "/dev/null"]

    @staticmethod
    def connect(path):
        for _ in range(500):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(path))
                return client
            except OSError:
                client.close()
                time.sleep(0.01)
        raise Failure("redis-server does not answer")

    @staticmethod
    def ask(client, request, length):
        """Sends a request and takes an answer of so many bytes."""
        client.sendall(request)
        while length > 0:
            answer = client.recv(min(length, 1 << 20))
            if not answer or answer.startswith(b"-"):
                raise Failure("redis-server answered %r" % answer[:80])
            length -= len(answer)

    def drive(self, client):
        value = random.Random(SEED).randbytes(self.size)
        head = b"*3\r\n$3\r\nSET\r\n$7\r\nkey:%03d\r\n$%d\r\n"
        keys = max(4, min(256, (64 << 20) // self.size))
        sets = [head % (i, self.size) + value + b"\r\n" for i in range(keys)]
        gets = [b"*2\r\n$3\r\nGET\r\n$7\r\nkey:%03d\r\n" % i for i in range(keys)]
        answer = len(b"$%d\r\n" % self.size) + self.size + 2
        order = random.Random(SEED)
        for request in sets:
            self.ask(client, request, 5)  # +OK
        for _ in range(self.times(self.requests)):
            key = order.randrange(keys)
            if order.random() < 0.5:
                self.ask(client, sets[key], 5)
            else:
                self.ask(client, gets[key], answer)

    def run(self, directory, env, prefix=()):
        server = Process([*prefix, *self.command()], env, directory)
        try:
            with self.connect(directory / "redis.sock") as client:
                self.drive(client)
                client.sendall(b"*2\r\n$8\r\nSHUTDOWN\r\n$6\r\nNOSAVE\r\n")
        except BaseException:
            server.process.kill()
            server.process.wait()
            raise
        return server.wait()


@app
class Redis4k(Redis):
    name = "redis-4k"
    what = "redis-server: sets and gets values of 4 KiB, one client"
    size, requests = 4 << 10, 200000


@app
class Redis64k(Redis):
    name = "redis-64k"
    what = "redis-server: the same with 64 KiB"
    size, requests = 64 << 10, 80000


@app
class Redis1m(Redis):
    name = "redis-1m"
    what = "redis-server: the same with 1 MiB"
    size, requests = 1 << 20, 10000


# ---- languages ----------------------------------------------------------------------------------------

class Python(App):
    needs = {"python3": "python3"}
    work = ""
    turns = 0

    def prepare(self):
        (self.directory / "work.py").write_text(self.work)

    def command(self):
        # The interpreter itself: `python3` may be a shell script that looks for one.
        return [sys.executable, "-I", "-S", "work.py", str(self.times(self.turns))]


@app
class PythonBytes(Python):
    name = "python-bytes"
    what = "python3: slices, joins, splits and replaces bytes and bytearrays"
    turns = 400
    work = """
import random, sys
source = random.Random(1)
data = b",".join(source.randbytes(source.randint(1, 400)) for _ in range(2000))
for _ in range(int(sys.argv[1])):
    fields = data.split(b",")
    joined = b";".join(fields)
    buffer = bytearray()
    for field in fields:
        buffer += field
        buffer += b"|" + field[1:-1]
    del buffer[:1000]
    view = bytes(buffer)
    for at in range(0, len(view), 512):
        view[at:at + 512]
    joined.replace(b";", b"--") + view
"""


@app
class PythonPickle(Python):
    name = "python-pickle"
    what = "python3: pickles and unpickles lists of dictionaries"
    turns = 200
    work = """
import pickle, random, sys
source = random.Random(1)
rows = [{"id": i, "name": "name %d" % source.randrange(10**6), "tags": [str(source.random()) for _ in range(5)],
         "data": source.randbytes(source.randint(1, 2000))} for i in range(1500)]
for _ in range(int(sys.argv[1])):
    assert len(pickle.loads(pickle.dumps(rows))) == len(rows)
"""


@app
class Gcc(App):
    name = "gcc"
    what = "gcc -O2: compiles a third of this project's sources"
    needs = {"gcc": "gcc"}

    def prepare(self):
        # Copies, so that nobody edits them meanwhile.
        arch = "x86_64" if platform.machine() == "x86_64" else "other"
        for folder in ("include", "src", "tools", "bench"):
            shutil.copytree(ROOT / folder, self.directory / folder)
        lists = self.directory / "include" / "fastcopy" / "kernels"
        lists.mkdir()
        shutil.copy(self.directory / "src/generic/kernels.def", lists / "generic.def")
        if arch != "other":
            shutil.copy(self.directory / "src/arch" / arch / "kernels.def", lists / (arch + ".def"))
        sources = [*(self.directory / "src").glob("*.c"), *(self.directory / "src/trace").glob("*.c"),
                   *(self.directory / "bench").glob("*.c")]
        # All but two, which need what is generated or another library; of the rest every third.
        sources = sorted(str(path.relative_to(self.directory)) for path in sources
                         if path.name not in ("mix.c", "output_json.c"))
        self.arguments = ["-O2", "-std=c11", "-ffreestanding", "-fPIC", "-D_GNU_SOURCE", "-Iinclude", "-Isrc",
                          "-Isrc/arch/" + arch, "-Itools", "-Ibench", "-c",
                          *sources[::3][:self.times(len(sources) // 3)]]

    def command(self):
        return ["gcc", *self.arguments]


# ---- compression and archives -------------------------------------------------------------------------

class Compressor(App):
    """Compresses a text, or (unpack) decompresses it several times over."""
    size = 0
    tool = ()
    unpack = 0

    def prepare(self):
        (self.directory / "text").write_bytes(text(self.times(self.size)))
        if self.unpack:
            with open(self.directory / "packed", "wb") as packed:
                subprocess.run([*self.tool, "-c", "text"], cwd=self.directory, stdout=packed, check=True)

    def command(self):
        if self.unpack:
            return [*self.tool, "-dc", *["packed"] * self.unpack]
        return [*self.tool, "-c", "text"]


@app
class Xz(Compressor):
    name = "xz"
    what = "xz -6: compresses prose, one thread"
    needs = {"xz": "xz-utils"}
    tool = ("xz", "-6", "-T1")
    size = 2 << 20


@app
class Unxz(Xz):
    name = "unxz"
    what = "xz -d: decompresses it"
    size = 8 << 20
    unpack = 10


@app
class Zstd(Compressor):
    name = "zstd"
    what = "zstd -6: compresses prose, one thread"
    needs = {"zstd": "zstd"}
    tool = ("zstd", "-q", "-6", "--single-thread")
    size = 40 << 20


@app
class Unzstd(Zstd):
    name = "unzstd"
    what = "zstd -d: decompresses it"
    unpack = 16


@app
class Git(App):
    name = "git"
    what = "git repack -adf: packs a repository of 400 commits anew, one thread"
    needs = {"git": "git"}

    def prepare(self):
        source = random.Random(SEED)
        lines = text(1 << 20).split(b"\n")
        files = [[source.choice(lines) for _ in range(source.randint(50, 600))] for _ in range(60)]
        stream = []
        for commit in range(self.times(400)):
            stream.append(b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 1\nx\n"
                          % (1000000000 + commit))
            for number in range(len(files)) if commit == 0 else source.sample(range(len(files)), 4):
                for _ in range(source.randint(1, 8)):
                    files[number][source.randrange(len(files[number]))] = source.choice(lines)
                content = b"\n".join(files[number]) + b"\n"
                stream.append(b"M 100644 inline d%d/f%d\ndata %d\n%s\n"
                              % (number % 7, number, len(content), content))
        env = self.environment(os.environ)
        subprocess.run(["git", "init", "-q", "--bare", "repo"], cwd=self.directory, env=env, check=True)
        subprocess.run(["git", "-C", "repo", "fast-import", "--quiet"], cwd=self.directory, env=env,
                       input=b"".join(stream), check=True)

    @staticmethod
    def environment(env):
        return {**env, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def command(self):
        return ["git", "-C", "repo", "-c", "pack.threads=1", "repack", "-adfq"]

    def run(self, directory, env, prefix=()):
        return super().run(directory, self.environment(env), prefix)


# ---- pictures -----------------------------------------------------------------------------------------

@app
class Ffmpeg(App):
    name = "ffmpeg"
    what = "ffmpeg: puts raw frames of four cameras (rows of 2048 bytes) side by side, as a video recorder does"
    needs = {"ffmpeg": "ffmpeg"}
    width, height, frames = 1024, 576, 8  # UYVY: 2 bytes a pixel

    def prepare(self):
        source = random.Random(SEED)
        for camera in range(4):
            with open(self.directory / ("camera%d" % camera), "wb") as file:
                for _ in range(self.frames):
                    file.write(source.randbytes(self.width * self.height * 2))

    def command(self):
        # The frames are read once, and then shown again and again.
        again = "loop=loop=%d:size=%d" % (self.times(100), self.frames)
        command = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-filter_complex_threads", "1"]
        for camera in range(4):
            command += ["-f", "rawvideo", "-pix_fmt", "uyvy422", "-s", "%dx%d" % (self.width, self.height),
                        "-i", "camera%d" % camera]
        graph = "".join("[%d:v]%s[v%d];" % (i, again, i) for i in range(4))
        graph += "[v0][v1][v2][v3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0"
        return command + ["-filter_complex", graph, "-f", "rawvideo", "-y", os.devnull]


# ---- the network --------------------------------------------------------------------------------------

@app
class Iperf3(App):
    name = "iperf3"
    what = "iperf3 through the loopback: by the clock, and not judged, since the kernel does its copies"
    needs = {"iperf3": "iperf3"}
    quantity = "elapsed"
    judged = together = False

    def prepare(self):
        self.bytes = self.times(6 << 30)

    def command(self):
        return ["iperf3", "-c", "127.0.0.1", "-p", str(self.port), "-n", str(self.bytes)]

    def run(self, directory, env, prefix=()):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        server = subprocess.Popen(["iperf3", "-s", "-1", "--forceflush", "-B", "127.0.0.1", "-p",
                                   str(self.port)], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            while b"Server listening" not in server.stdout.readline():
                if server.poll() is not None:
                    raise Failure("iperf3 -s: exit status %d" % server.returncode)
            return super().run(directory, env, prefix)
        finally:
            server.terminate()
            server.communicate()
