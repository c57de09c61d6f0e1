"""Whole books: import and changes, compared with bare SQLite on the same rows; search, export, list and statistics."""

import os
import subprocess
import time

from bulk_edits import BAR as EDIT_BAR
from bulk_edits import KINDS as EDIT_KINDS
from bulk_edits import BulkEdits

# Limits: export and list in microseconds per contact, statistics in seconds, the import as a multiple of bare SQLite.
EXPORT_BAR, LIST_BAR, STATS_BAR = 12, 8, 0.3
IMPORT_BAR = 2.5


class Bulk:
    def __init__(self, bench, bare_insert, books):
        self.bench, self.bare_insert, self.books = bench, bare_insert, books

    def run(self):
        print("  whole books", flush=True)
        self.imports()
        self.searches()
        self.reads()
        self.stats()
        # Last, because it changes the book.
        if self.books.contacts == 100_000:
            self.edits()

    def edits(self):
        found = {}
        for name, (ours, floor) in BulkEdits(self.bench.program, self.books, self.bench.environment).measure().items():
            self.bench.line(f"  {name}; bare SQL", ours, floor, "s")
            found[name] = (ours, EDIT_BAR * floor)
        for kind, names in EDIT_KINDS.items():
            cases = {name: found[name] for name in names}
            self.bench.bars.check_worst(f"{kind} 100,000 contacts, vs. {EDIT_BAR} x bare SQL", cases, "s")

    def seconds(self, arguments):
        started = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env=self.bench.environment)
        return time.perf_counter() - started

    def imports(self):
        """Imports into a new book each time, including the search index and closing the book."""
        book = os.path.join(self.books.folder, "imported.db")
        copy = os.path.join(self.books.folder, "copy.db")
        ours, floor = [], []
        for _ in range(3 if self.books.contacts <= 100_000 else 1):
            for name in os.listdir(self.books.folder):
                if name.startswith("imported.db") and os.path.isfile(os.path.join(self.books.folder, name)):
                    os.remove(os.path.join(self.books.folder, name))
            ours.append(self.seconds([self.bench.program, "--book", book, "import", self.books.cards]))
            floor.append(float(subprocess.run([self.bare_insert, book, copy], check=True, capture_output=True).stdout))
            os.remove(copy)
        ours, floor = min(ours), min(floor)
        self.bench.line("  import; bare INSERTs without triggers", ours, floor, "s")
        if self.books.contacts == 100_000:
            self.bench.bars.check(f"import of 100,000, vs. {IMPORT_BAR} x bare SQLite", ours, IMPORT_BAR * floor, "s")

    def searches(self):
        """The first search after the import, which made the index, and one that has to build the index from the book:
        the time until its answer begins, and the time until it ends, because it then saves what it built."""
        query = [self.bench.program, "--book", os.path.join(self.books.folder, "imported.db"), "query", "smith"]
        cache = os.path.join(self.books.folder, "empty-cache")
        after_import, _ = self.answer(query)
        building, end = self.answer(query, XDG_CACHE_HOME=cache)
        self.bench.line("  first search after the import", after_import, unit="s", digits=3)
        self.bench.line("  search that builds the index; with saving", building, end, "s", digits=3)

    def answer(self, arguments, **environment):
        """The seconds until a program begins its output, and until it ends."""
        started = time.perf_counter()
        program = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env={**self.bench.environment, **environment})
        program.stdout.read(1)
        first = time.perf_counter() - started
        program.communicate()
        if program.returncode != 0:
            raise subprocess.CalledProcessError(program.returncode, arguments)
        return first, time.perf_counter() - started

    def reads(self):
        for name, arguments, bar in [
            ("export to vCard", ["export"], EXPORT_BAR), ("list as JSON", ["list", "--format", "json"], LIST_BAR),
        ]:
            time = min(self.seconds([self.bench.program, "--book", self.books.book, *arguments]) for _ in range(2))
            each = time / self.books.contacts * 1e6
            self.bench.line(f"  {name}", each, unit="µs a contact")
            self.bench.bars.check(f"{name} of {self.books.contacts:,}", each, bar, "µs a contact")

    def stats(self):
        time = min(self.seconds([self.bench.program, "--book", self.books.book, "stats"]) for _ in range(3))
        self.bench.line("  stats", time, unit="s", digits=3)
        if self.books.contacts == 1_000_000:
            self.bench.bars.check("stats at 1,000,000", time, STATS_BAR, "s")
