"""The screen compared with abook's, each in a pseudo terminal: the start, keys, and the peak of memory."""

import os
import statistics

from screen_keys import HELD_BAR, HELD_RATE, MEDIAN_BAR, WORST_BAR, ScreenKeys
from terminal_program import TerminalProgram

MEMORY_BARS = {100_000: 50, 1_000_000: 260}
END, HOME = "\x1bOF", "\x1bOH"


class Screen:
    def __init__(self, bench, books):
        self.bench, self.books = bench, books
        self.has_peer = bench.has_abook(books)

    def run(self):
        print(f"  {'':40} {'addressbook':>12} {'':14} {'abook':>12}")
        self.first_screen()
        self.keys()
        self.searches()
        # No bar for fewer contacts, and the keys are held for seconds.
        if self.books.contacts >= 1_000_000:
            self.held_keys()

    def command(self, is_ours):
        if is_ours:
            return [self.bench.program, "--book", self.books.book]
        return ["abook", "-C", os.devnull, "--datafile", self.books.abook]

    def start(self, is_ours):
        program = TerminalProgram(self.command(is_ours), self.bench.environment)
        return program, program.wait_for(self.books.first_word)

    def first_screen(self):
        times = {True: [], False: []}
        for _ in range(7):
            for is_ours in [True, False] if self.has_peer else [True]:
                program, first = self.start(is_ours)
                times[is_ours].append(first)
                program.end()
        ours = statistics.median(times[True])
        theirs = statistics.median(times[False]) if self.has_peer else None
        self.bench.first_screen[self.books.contacts] = ours
        self.bench.line("first screen", ours, theirs)
        self.bench.figure(self.books, "first screen", addressbook=ours, abook=theirs)
        if self.has_peer and self.books.contacts == 10_000:
            self.bench.bars.check("first screen at 10,000, vs. abook", ours, theirs)
        if self.has_peer and self.books.contacts == 100_000:
            self.bench.bars.check("first screen at 100,000, vs. a quarter of abook", ours, theirs / 4)

    def keys(self):
        mine = self.press_keys(True)
        peer = self.press_keys(False) if self.has_peer else {}
        for name, (value, count) in mine.items():
            other = peer.get(name, (None, None))
            if name.startswith("memory"):
                self.bench.line(name, value, other[0], "MB", 1)
            else:
                self.bench.figure(self.books, name, addressbook=value, abook=other[0])
                self.bench.line(name, value, other[0])
                self.bench.line("", count, other[1], "bytes", 0)
        size, bars = f"{self.books.contacts:,}", self.bench.bars
        if peer:
            moves = {name: (mine[name][0], peer[name][0]) for name in ["page down", "page up", "jump to an end"]}
            bars.check(f"j at {size}, vs. abook", mine["j"][0], peer["j"][0])
            bars.check(f"bytes of j at {size}, vs. abook", mine["j"][1], peer["j"][1], "bytes")
            bars.check_worst(f"page or jump at {size}, vs. abook", moves)
        if limit := MEMORY_BARS.get(self.books.contacts):
            bars.check(f"memory at {size}", mine["memory"][0], limit, "MB")

    def press_keys(self, is_ours):
        """Returns the median time and bytes of each kind of key, and the peak of memory."""
        program, _ = self.start(is_ours)
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
        measure("jump to an end", [END, HOME] * 3)
        if is_ours:
            measure("jump to a letter", ["'L", "'Z", "'A", "'W", "'B"])
            found["memory before a search"] = (program.peak_memory(), 0)
            program.press("/")
            found["first search key"] = program.press("l", 0.5)
            measure("search key", ["i", "x", "\x7f", "\x7f", "w", "\x7f", "i"], 0.2)
            program.press("\x1b", 0.5)
            program.press("e", 0.4)
            program.press("x", 0.2)
            found["save"] = program.press("\x13", 0.3)
        else:
            found["save"] = program.press("w", 0.5)
        found["memory"] = (program.peak_memory(), 0)
        program.end()
        return found

    def searches(self):
        keys = ScreenKeys(self.command(True), self.bench.environment, self.books.first_word)
        has_bars = self.books.contacts == 1_000_000
        found = keys.searches(rounds=3 if has_bars else 1)
        keys.end()
        for name, (median, worst) in found.items():
            alone = f"{name}, the list alone"
            self.bench.figure(self.books, alone, addressbook=median)
            self.bench.line(alone, median)
            self.bench.line("  worst", worst)
        if has_bars:
            medians = {name: (median, MEDIAN_BAR) for name, (median, _) in found.items()}
            worst = {name: (worst, WORST_BAR) for name, (_, worst) in found.items()}
            self.bench.bars.check_worst("on the screen at 1,000,000, median of a", medians)
            self.bench.bars.check_worst("on the screen at 1,000,000, slowest", worst)

    def held_keys(self):
        keys = ScreenKeys(self.command(True), self.bench.environment, self.books.first_word)
        shares, late = {}, {}
        for name, key in [("j", "j"), ("^F", "\x06")]:
            share, milliseconds = keys.held(key)
            shares[name], late[name] = (share, HELD_BAR), (milliseconds, WORST_BAR)
            self.bench.line(f"{name} held, {HELD_RATE} a second", share, unit="cores")
            self.bench.line("  last byte after the last key", milliseconds)
        keys.end()
        if self.books.contacts == 1_000_000:
            self.bench.bars.check_worst(f"a key held at 1,000,000, {HELD_RATE} a second", shares, "cores")
            self.bench.bars.check_worst("a key held at 1,000,000, last byte after the last key", late)
