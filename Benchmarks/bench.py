#!/usr/bin/env python3
"""Compares the program with abook, khard, GNOME's library, fzf, vdirsyncer and SQLite on one machine in one run, and
with the limits (“bars”) that it must meet.

  bench.py PROGRAM SEARCH_BENCHMARK RESULTS_BENCHMARK OBJECTS_BENCHMARK BARE_INSERT

BENCH_PEOPLE is a list of sizes (default "10000 100000"; "1000 10000 100000 1000000" checks all bars). From 5,000,000
on, only the import, the screen, its search, a save and memory are measured. The contacts come from the generator that
GEN_VCARDS names, or else from `addressbook demo`. BENCH_PICTURE names a file for a picture of the cost by number of
contacts. All other files are in temporary folders that are removed at the end. A peer that is not installed is left
out.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import cost_picture
from bars import Bars
from books import Books
from bulk import Bulk
from libraries import Libraries
from peers import Peers
from screen import Screen
from searches import Searches
from sync_folders import CHANGED, SyncFolders

ABOOK_LIMIT = 100_000
# From this size on, a peer, a second copy of the book or a table of all objects would take longer than the program.
HUGE = 5_000_000
# khard and vdirsyncer need seconds for a step at this size.
PEER_SIZE = 10_000


class Bench:
    def __init__(self, program, search, results, objects, bare_insert):
        self.program, self.search, self.results, self.objects = program, search, results, objects
        self.bare_insert = bare_insert
        self.folder = tempfile.mkdtemp(prefix="addressbook-bench-")
        self.bars = Bars()
        self.first_screen = {}
        self.one_moved = {}
        # For each size and each measurement that a peer has too, the milliseconds of each program.
        self.figures = {}
        self.is_installed = {}
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        }

    def run(self, sizes):
        started = time.perf_counter()
        try:
            for size in sizes:
                self.measure(size)
            self.compare_sizes()
        finally:
            shutil.rmtree(self.folder)
        self.bars.show()
        print(f"{time.perf_counter() - started:.0f} s")
        if picture := os.environ.get("BENCH_PICTURE"):
            cost_picture.draw(self.figures, picture)

    def measure(self, size):
        books = Books(self.program, self.folder, size, self.environment, has_others=size < HUGE)
        print(f"\n{size:,} contacts (imported in {books.seconds:.1f} s)", flush=True)
        self.figures[size] = {}
        Screen(self, books).run()
        if size < HUGE:
            Searches(self, books).run()
            Libraries(self, size).run()
            if size == PEER_SIZE:
                self.sync(books)
                Peers(self, books).run()
            if size >= 100_000:
                Bulk(self, self.bare_insert, books).run()
        shutil.rmtree(books.folder)

    def has(self, peer):
        """Whether a peer is installed; says it once if not."""
        if peer not in self.is_installed:
            self.is_installed[peer] = shutil.which(peer) is not None
            if not self.is_installed[peer]:
                print(f"  {peer} is not installed: it is left out", flush=True)
        return self.is_installed[peer]

    def has_abook(self, books):
        return books.contacts <= ABOOK_LIMIT and self.has("abook")

    def line(self, name, ours, theirs=None, unit="ms", digits=2):
        text = f"  {name:40} {ours:12.{digits}f} {unit:14}"
        if theirs is not None:
            ratio = f"{ours / theirs:8.3f} x" if theirs else ""
            text += f" {theirs:12.{digits}f} {unit:8} {ratio}"
        print(text, flush=True)

    def figure(self, books, name, **milliseconds):
        known = {who: time for who, time in milliseconds.items() if time is not None}
        self.figures[books.contacts].setdefault(name, {}).update(known)

    def processes(self, commands, repeats=15):
        """The median time of each command. They run in turn, so that a slow moment of the machine hits all of them."""
        times = [[] for _ in commands]
        for _ in range(repeats):
            for arguments, own in zip(commands, times):
                started = time.perf_counter()
                subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
                own.append((time.perf_counter() - started) * 1000)
        return [statistics.median(own) for own in times]

    def sync(self, books):
        print(f"  {'a folder of cards':40} {'addressbook':>12} {'':14} {'vdirsyncer':>12}")
        folders = SyncFolders(self.program, books, self.environment, has_peer=self.has("vdirsyncer"))
        for name, (ours, theirs) in folders.measure().items():
            self.line("  " + name, ours, theirs)
            if theirs and name == f"sync, {CHANGED} changed":
                self.bars.check(f"sync of {PEER_SIZE:,} cards, {CHANGED} changed, vs. vdirsyncer", ours, theirs)

    def compare_sizes(self):
        for size, first in self.first_screen.items():
            if size >= 1_000_000 and 1000 in self.first_screen:
                limit = 1.5 * self.first_screen[1000]
                self.bars.check(f"first screen at {size:,}, vs. 1.5 x that at 1,000", first, limit)
        if 10_000 in self.one_moved and 1_000_000 in self.one_moved:
            self.bars.check("1 of 1,000,000 moved, vs. 5 x that of 10,000", self.one_moved[1_000_000],
                            5 * self.one_moved[10_000])


if len(sys.argv) != 6:
    sys.exit(__doc__)
programs = [os.path.abspath(path) for path in sys.argv[1:]]
sizes = os.environ.get("BENCH_PEOPLE", "10000 100000").replace(",", " ").split()
Bench(*programs).run([int(size) for size in sizes])
