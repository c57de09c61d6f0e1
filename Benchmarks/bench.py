#!/usr/bin/env python3
"""Compares the program with abook, fzf, vdirsyncer and SQLite on one machine in one run, and with the limits (“bars”)
that it must meet.

  bench.py PROGRAM SEARCH_BENCHMARK RESULTS_BENCHMARK OBJECTS_BENCHMARK BARE_INSERT

BENCH_PEOPLE is a list of sizes (default "1000 10000 100000"; add 1000000 for the complete benchmark). From 5,000,000
on, only the import, the screen, its search, a save and memory are measured. The contacts come from the generator that
GEN_VCARDS names, or else from `addressbook demo`. BENCH_PICTURE names a file for a picture of the cost by number of
contacts. All other files are in temporary folders that are removed at the end.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import cost_picture
from books import Books
from bulk import Bulk
from screen_keys import HELD_BAR, HELD_RATE, MEDIAN_BAR, WORST_BAR, ScreenKeys
from sync_folders import CHANGED, SyncFolders
from terminal_program import TerminalProgram

ABOOK_LIMIT = 100_000
# From this size on, a peer, a second copy of the book or a table of all objects would take longer than the program.
HUGE = 5_000_000
SYNC_SIZE = 10_000
GRAPH_BARS = {
    "save of 1 changed": 2, "save of 1000 changed": 2, "save of 1000 new": 2,
    "first page of 50 without an index": 1.5, "first page of 50": 1.5, "middle page of 50": 1.5,
    "count by age": 1.5, "count by name": 1.5, "count by company": 1.5,
}
QUERIES = ["zhang", "li", "wang wei", "138", "smith"]


class Bench:
    def __init__(self, program, search, results, objects, bare_insert):
        self.program, self.search, self.results, self.objects = program, search, results, objects
        self.bare_insert = bare_insert
        self.folder = tempfile.mkdtemp(prefix="addressbook-bench-")
        self.bars = []
        self.first_screen = {}
        self.one_moved = {}
        # For each size and each measurement on the screen: the milliseconds, or megabytes, of the program and of abook.
        self.figures = {}
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        }

    def run(self, sizes):
        try:
            for size in sizes:
                books = Books(self.program, self.folder, size, self.environment, has_others=size < HUGE)
                print(f"\n{size:,} contacts (imported in {books.seconds:.1f} s)", flush=True)
                self.screen(books)
                if size >= HUGE:
                    shutil.rmtree(books.folder)
                    continue
                self.query(books)
                self.list(size)
                self.graph(size)
                if size == SYNC_SIZE:
                    self.sync(books)
                if size >= 100_000:
                    Bulk(self, self.bare_insert, books).run()
                shutil.rmtree(books.folder)
            self.compare_sizes()
        finally:
            shutil.rmtree(self.folder)
        print("\nbars")
        for name, value, bar, met in self.bars:
            print(f"  {'met   ' if met else 'MISSED'}  {name:58} {value:>12}   bar {bar}")
        if picture := os.environ.get("BENCH_PICTURE"):
            cost_picture.draw(self.figures, picture)

    # The table

    def line(self, name, ours, theirs=None, unit="ms", digits=2):
        text = f"  {name:40} {ours:12.{digits}f} {unit:14}"
        if theirs is not None:
            ratio = f"{ours / theirs:8.3f} x" if theirs else ""
            text += f" {theirs:12.{digits}f} {unit:8} {ratio}"
        print(text, flush=True)

    def bar(self, name, value, limit, unit="ms"):
        self.bars.append((name, f"{value:.2f} {unit}", f"{limit:.2f} {unit}", value <= limit))

    # The screen

    def command(self, books, is_ours):
        if is_ours:
            return [self.program, "--book", books.book]
        return ["abook", "-C", os.devnull, "--datafile", books.abook]

    def start(self, books, is_ours):
        program = TerminalProgram(self.command(books, is_ours), self.environment)
        return program, program.wait_for(books.first_word)

    def screen(self, books):
        print(f"  {'':40} {'addressbook':>12} {'':14} {'abook':>12}")
        has_peer = books.contacts <= ABOOK_LIMIT
        times = {True: [], False: []}
        for _ in range(7):
            for is_ours in [True, False] if has_peer else [True]:
                program, first = self.start(books, is_ours)
                times[is_ours].append(first)
                program.end()
        ours = statistics.median(times[True])
        theirs = statistics.median(times[False]) if has_peer else None
        self.first_screen[books.contacts] = ours
        self.line("first screen", ours, theirs)
        if books.contacts == 10_000:
            self.bar("first screen at 10,000, vs. abook", ours, theirs)
        if books.contacts == 100_000:
            self.bar("first screen at 100,000, vs. a quarter of abook", ours, theirs / 4)

        self.figures[books.contacts] = {"first screen": (ours, theirs)}
        mine = self.keys(books, True)
        peer = self.keys(books, False) if has_peer else {}
        for name, (milliseconds, count) in mine.items():
            other = peer.get(name)
            self.figures[books.contacts][name] = (milliseconds, other and other[0])
            if name.startswith("memory"):
                self.line(name, milliseconds, other and other[0], "MB", 1)
            else:
                self.line(name, milliseconds, other and other[0])
                self.line("", count, other and other[1], "bytes", 0)
        self.memory = mine["memory"][0]
        if has_peer:
            self.bar(f"j at {books.contacts:,}, vs. abook", mine["j"][0], peer["j"][0])
            self.bar(f"bytes of j at {books.contacts:,}, vs. abook", mine["j"][1], peer["j"][1], "bytes")
        if books.contacts == 1_000_000:
            self.bar("memory at 1,000,000", self.memory, 260, "MB")

        self.screen_keys(books)

    def screen_keys(self, books):
        keys = ScreenKeys(self.command(books, True), self.environment, books.first_word)
        has_bars = books.contacts == 1_000_000
        for name, (median, worst) in keys.searches().items():
            alone = f"{name}, the list alone"
            self.figures[books.contacts][alone] = (median, None)
            self.line(alone, median)
            self.line("  worst", worst)
            if has_bars:
                self.bar(f"{name} at 1,000,000, median", median, MEDIAN_BAR)
                self.bar(f"{name} at 1,000,000, worst", worst, WORST_BAR)
        for name, key in [("j", "j"), ("^F", "\x06")]:
            share, late = keys.held(key)
            self.line(f"{name} held, {HELD_RATE} a second", share, unit="cores")
            self.line("  last byte after the last key", late)
            if has_bars:
                self.bar(f"{name} held at 1,000,000, {HELD_RATE} a second", share, HELD_BAR, "cores")
                self.bar(f"{name} held at 1,000,000, last byte after the last key", late, WORST_BAR)
        keys.end()

    def keys(self, books, is_ours):
        """Returns the median time and bytes of each kind of key, and the peak of memory."""
        program, _ = self.start(books, is_ours)
        program.settle(1 if is_ours else 0.3)
        pages = ("\x06", "\x02") if is_ours else ("\x1b[6~", "\x1b[5~")
        found = {}

        def measure(name, keys, quiet=0.02):
            """Records the medians for some keys. The response to a key is complete when nothing has come for `quiet`
            seconds. The detail beside the list follows 40 ms later, when the cursor rests, and is measured
            separately."""
            samples = []
            for key in keys:
                samples.append(program.press(key, quiet))
                program.settle(0.08)
            found[name] = tuple(statistics.median(column) for column in zip(*samples))

        program.press("j")
        measure("j", "j" * 21)
        if is_ours:
            measure("j, and the detail after a rest", "j" * 7, 0.08)
        measure("page down", pages[:1] * 7)
        measure("page up", pages[1:] * 7)
        if is_ours:
            measure("jump to a letter", ["'L", "'Z", "'A", "'W", "'B"])
            found["memory before a search"] = (program.peak_memory(), 0)
            program.press("/")
            found["first search key"] = program.press("l", 0.5)
            measure("search key", ["i", "x", "\x7f", "\x7f", "w", "\x7f", "i"], 0.2)
            program.press("\x1b", 0.5)
            program.press("\x1b", 0.5)
            program.press("e", 0.4)
            program.press("x", 0.2)
            found["save"] = program.press("\x13", 0.3)
        else:
            found["save"] = program.press("w", 0.5)
        found["memory"] = (program.peak_memory(), 0)
        program.end()
        return found

    # Search

    def process(self, arguments, repeats=5):
        return self.processes([arguments], repeats)[0]

    def processes(self, commands, repeats=15):
        """The median time of each command. They run in turn, so that a slow moment of the machine hits all of them."""
        times = [[] for _ in commands]
        for _ in range(repeats):
            for arguments, own in zip(commands, times):
                started = time.perf_counter()
                subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
                own.append((time.perf_counter() - started) * 1000)
        return [statistics.median(own) for own in times]

    def query(self, books):
        has_peer = books.contacts <= ABOOK_LIMIT
        print("  query as a process")
        for text in QUERIES:
            commands = [[self.program, "--book", books.book, "query", text]]
            if has_peer:
                commands.append(["abook", "-C", os.devnull, "--datafile", books.abook, "--mutt-query", text])
            ours, theirs = (self.processes(commands) + [None])[:2]
            self.line("  " + text, ours, theirs)
            if books.contacts == 100_000:
                self.bar(f"query {text} at 100,000, vs. half of abook", ours, theirs / 2)
        output = subprocess.run([self.search, books.book], capture_output=True, text=True, check=True).stdout
        fzf = self.fzf(books)
        like = self.like(books)
        print(f"  a key in the index; fzf --filter {fzf:.1f} ms, SQLite LIKE {like:.1f} ms")
        limit = 4 if books.contacts == 100_000 else None
        for line in output.splitlines():
            name, value, unit = line.split("\t")
            value = float(value)
            self.line("  " + name, value, unit=unit, digits=3)
            if limit and not name.startswith("index"):
                self.bar(f"key, {name}, at {books.contacts:,}", value, limit)
                if books.contacts == 100_000:
                    self.bar(f"key, {name}, vs. a twentieth of fzf", value, fzf / 20)
        if books.contacts == 100_000:
            self.bar("memory at 100,000", self.memory, 50, "MB")

    def fzf(self, books):
        times = []
        for text in QUERIES:
            with open(books.table) as table:
                started = time.perf_counter()
                subprocess.run(["fzf", "--filter", text], stdin=table, stdout=subprocess.DEVNULL, env=self.environment)
                times.append((time.perf_counter() - started) * 1000)
        return statistics.median(times)

    def like(self, books):
        where = " OR ".join(f"{column} LIKE '%{{0}}%'" for column in ["name", "email", "phone", "organization", "note"])
        return statistics.median(
            self.process(["sqlite3", books.like, f"SELECT id FROM person WHERE {where.format(text)}"], 3)
            for text in QUERIES)

    # The list

    def list(self, size):
        print("  results controller, rows of a plain table")
        output = subprocess.run([self.results, str(size)], capture_output=True, text=True, check=True).stdout
        found = {}
        for line in output.splitlines():
            name, value, unit = line.split("\t")
            found[name] = float(value)
            self.line("  " + name, float(value), unit=unit, digits=3)
        self.one_moved[size] = found["1 moved, commit to change set"]
        if size not in (10_000, 1_000_000):
            return
        for place in ["", ", new process"]:
            self.bar(f"list of {size:,}{place}, vs. 3 bare loops in C", found["list, complete" + place],
                     3 * found["bare C loop over the index" + place])
        self.bar(f"1 of {size:,} moved, commit to change set", self.one_moved[size], 1)
        self.bar(f"1 of {size:,} moved, vs. refetch and diff", self.one_moved[size], found["1 moved, refetch and diff"])

    # Syncing

    def sync(self, books):
        print(f"  {'a folder of cards':40} {'addressbook':>12} {'':14} {'vdirsyncer':>12}")
        for name, (ours, theirs) in SyncFolders(self.program, books, self.environment).measure().items():
            self.line("  " + name, ours, theirs)
            if name == f"sync, {CHANGED} changed":
                self.bar(f"sync of {SYNC_SIZE:,} cards, {CHANGED} changed, vs. vdirsyncer", ours, theirs)

    # Objects

    def graph(self, size):
        """Compares each time with that of equivalent SQL, on the same file in the same run."""
        print(f"  {'object graph':42} {'objects':>12} {'':14} {'SQL':>12}")
        output = subprocess.run(
            [self.objects, str(size)], capture_output=True, text=True, check=True, cwd=self.folder).stdout
        found = {}
        for line in output.splitlines():
            name, value, unit = line.split("\t")
            found[name] = float(value)
        for name, value in found.items():
            theirs = found.get(f"{name}, by SQL")
            if theirs is not None:
                self.line("  " + name, value, theirs, digits=3)
            elif not name.endswith(", by SQL"):
                self.line("  " + name, value, unit="", digits=0)
        if size != 1_000_000:
            return
        for name, factor in GRAPH_BARS.items():
            theirs = found[f"{name}, by SQL"]
            self.bar(f"{name} at 1,000,000, vs. {factor:g} x SQL ({found[name] / theirs:.2f} x)", found[name],
                     factor * theirs)
        self.bar("statements for a page of 50 with prefetch", found["statements for a page of 50 with prefetch"], 3, "")

    def compare_sizes(self):
        for size, first in self.first_screen.items():
            if size >= 1_000_000 and 1000 in self.first_screen:
                self.bar(f"first screen at {size:,}, vs. 1.5 x that at 1,000", first, 1.5 * self.first_screen[1000])
        if 10_000 in self.one_moved and 1_000_000 in self.one_moved:
            self.bar("1 of 1,000,000 moved, vs. 5 x that of 10,000", self.one_moved[1_000_000],
                     5 * self.one_moved[10_000])


if len(sys.argv) != 6:
    sys.exit(__doc__)
programs = [os.path.abspath(path) for path in sys.argv[1:]]
sizes = os.environ.get("BENCH_PEOPLE", "1000 10000 100000").replace(",", " ").split()
Bench(*programs).run([int(size) for size in sizes])
