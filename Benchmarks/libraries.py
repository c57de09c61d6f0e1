"""The libraries without a book: the results controller compared with a bare loop in C, the object graph with SQL."""

import subprocess

LIST_FACTOR = 3
SAVES = {"save of 1 changed": 2, "save of 1000 changed": 2, "save of 1000 new": 2}
PAGES = {"first page of 50 without an index": 1.5, "first page of 50": 1.5, "middle page of 50": 1.5}
COUNTS = {"count by age": 1.5, "count by name": 1.5, "count by company": 1.5}
PREFETCH = "statements for a page of 50 with prefetch"


class Libraries:
    def __init__(self, bench, size):
        self.bench, self.size = bench, size

    def run(self):
        self.list()
        self.graph()

    def output(self, program):
        """Runs a benchmark where it may write large files; returns the number and the unit of each line."""
        output = subprocess.run([program, str(self.size)], capture_output=True, text=True, check=True,
                                cwd=self.bench.folder).stdout
        lines = [line.split("\t") for line in output.splitlines()]
        return {name: (float(value), unit) for name, value, unit in lines}

    def list(self):
        print("  results controller, rows of a plain table")
        output = self.output(self.bench.results)
        for name, (value, unit) in output.items():
            self.bench.line("  " + name, value, unit=unit, digits=3)
        found = {name: value for name, (value, _) in output.items()}
        moved = found["1 moved, commit to change set"]
        self.bench.one_moved[self.size] = moved
        if self.size < 10_000:
            return
        size, bars = f"{self.size:,}", self.bench.bars
        loops = {kind: (found[f"list, complete{place}"], LIST_FACTOR * found[f"bare C loop over the index{place}"])
                 for kind, place in [("again", ""), ("new process", ", new process")]}
        bars.check_worst(f"list of {size}, vs. {LIST_FACTOR} bare loops in C", loops)
        bars.check(f"1 of {size} moved, commit to change set", moved, 1)
        bars.check(f"1 of {size} moved, vs. refetch and diff", moved, found["1 moved, refetch and diff"])

    def graph(self):
        """Compares each time with that of equivalent SQL, on the same file in the same run."""
        print(f"  {'object graph':42} {'objects':>12} {'':14} {'SQL':>12}")
        found = {name: value for name, (value, _) in self.output(self.bench.objects).items()}
        for name, value in found.items():
            theirs = found.get(f"{name}, by SQL")
            if theirs is not None:
                self.bench.line("  " + name, value, theirs, digits=3)
            elif not name.endswith(", by SQL"):
                self.bench.line("  " + name, value, unit="", digits=0)
        if self.size not in (100_000, 1_000_000):
            return
        size, bars = f"{self.size:,}", self.bench.bars

        def beside_sql(limits):
            return {name: (found[name], factor * found[f"{name}, by SQL"]) for name, factor in limits.items()}

        for name, (value, limit) in beside_sql(SAVES).items():
            bars.check(f"{name} at {size}, vs. {SAVES[name]} x SQL", value, limit)
        bars.check_worst(f"page of objects at {size}, vs. 1.5 x SQL", beside_sql(PAGES))
        bars.check_worst(f"count of objects at {size}, vs. 1.5 x SQL", beside_sql(COUNTS))
        bars.check(f"{PREFETCH} at {size}", found[PREFETCH], 3, "")
