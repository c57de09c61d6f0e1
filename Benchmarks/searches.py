"""Searches: the program and abook as processes, and a key in the index alone, beside fzf and SQLite's LIKE."""

import os
import statistics
import subprocess
import time

KEY_BAR = 4
QUERIES = ["zhang", "li", "wang wei", "138", "smith"]


class Searches:
    def __init__(self, bench, books):
        self.bench, self.books = bench, books

    def run(self):
        self.queries()
        fzf = self.fzf() if self.bench.has("fzf") else None
        peer = f"fzf --filter {fzf:.1f} ms, " if fzf else ""
        print(f"  a key in the index; {peer}SQLite LIKE {self.like():.1f} ms")
        output = subprocess.run([self.bench.search, self.books.book], capture_output=True, text=True, check=True).stdout
        keys = {}
        for line in output.splitlines():
            name, value, unit = line.split("\t")
            self.bench.line("  " + name, float(value), unit=unit, digits=3)
            if not name.startswith("index"):
                keys[name] = float(value)
        self.bench.figure(self.books, "search key, the list alone", fzf=fzf)
        if self.books.contacts == 100_000:
            bars = self.bench.bars
            bars.check_worst("key in the index of 100,000", {name: (key, KEY_BAR) for name, key in keys.items()})
            if fzf:
                bars.check_worst("key in the index of 100,000, vs. a twentieth of fzf",
                                 {name: (key, fzf / 20) for name, key in keys.items()})

    def queries(self):
        print("  query as a process")
        compared = {}
        for text in QUERIES:
            commands = [[self.bench.program, "--book", self.books.book, "query", text]]
            if self.bench.has_abook(self.books):
                commands.append(["abook", "-C", os.devnull, "--datafile", self.books.abook, "--mutt-query", text])
            ours, theirs = (self.bench.processes(commands) + [None])[:2]
            self.bench.line("  " + text, ours, theirs)
            self.bench.figure(self.books, f"query {text}", addressbook=ours, abook=theirs)
            if theirs:
                compared[text] = (ours, theirs / 2)
        if compared and self.books.contacts == 100_000:
            self.bench.bars.check_worst("query at 100,000, vs. half of abook", compared)

    def fzf(self):
        times = []
        for text in QUERIES:
            with open(self.books.table) as table:
                started = time.perf_counter()
                subprocess.run(["fzf", "--filter", text], stdin=table, stdout=subprocess.DEVNULL,
                               env=self.bench.environment)
                times.append((time.perf_counter() - started) * 1000)
        return statistics.median(times)

    def like(self):
        where = " OR ".join(f"{column} LIKE '%{{0}}%'" for column in ["name", "email", "phone", "organization", "note"])
        queries = [f"SELECT id FROM person WHERE {where.format(text)}" for text in QUERIES]
        return statistics.median(self.bench.processes([["sqlite3", self.books.like, query] for query in queries], 3))
