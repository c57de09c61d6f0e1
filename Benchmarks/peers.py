"""khard with a folder of cards, and GNOME's library for address books (evolution-data-server)."""

import os
import shutil
import subprocess
import time

import cards_folder

# In seconds; they need some for each step.
TIMEOUT = 300


class Peers:
    def __init__(self, bench, books):
        self.bench, self.books = bench, books
        self.folder = os.path.join(books.folder, "peers")
        os.mkdir(self.folder)

    def run(self):
        for name, command, measure in [
            ("khard", "khard", self.khard), ("GNOME's library", "dbus-run-session", self.gnome),
        ]:
            if not self.bench.has(command):
                continue
            try:
                measure()
            except (OSError, subprocess.SubprocessError) as error:
                print(f"  {name} is left out: {error}", flush=True)
        shutil.rmtree(self.folder)

    def seconds(self, arguments):
        started = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env=self.bench.environment, timeout=TIMEOUT)
        return time.perf_counter() - started

    def khard(self):
        cards = os.path.join(self.folder, "khard")
        with open(self.books.cards, "rb") as file:
            cards_folder.write(file.read(), cards)
        configuration = os.path.join(self.folder, "khard.conf")
        with open(configuration, "w") as file:
            file.write(f"[addressbooks]\n[[people]]\npath = {cards}\n")
        # Fails if nothing is found.
        search = ["khard", "-c", configuration, "email", "--parsable", "smith"]
        theirs = min(self.seconds(search) for _ in range(2)) * 1000
        self.compare("query smith", "query smith; khard", theirs, khard=theirs)

    def gnome(self):
        found = self.gnome_times()
        book = os.path.join(self.folder, "imported.db")
        ours = self.seconds([self.bench.program, "--book", book, "import", self.books.cards])
        print(f"  {'GNOME’s library':40} {'addressbook':>12} {'':14} {'the library':>12}")
        self.bench.line("  import", ours, found["import"] / 1000, "s")
        self.compare("first screen", "  first screen; all contacts", found["all contacts"])
        self.compare("query smith", "  query smith; search of names", found["search of names"])
        self.compare("query smith", "  query smith; search of all fields", found["search of all fields"],
                     gnome=found["search of all fields"])
        self.compare("save", "  save on the screen; save", found["save"], gnome=found["save"])

    def gnome_times(self):
        """The milliseconds of each step, in a session and a home folder of its own."""
        home = os.path.join(self.folder, "gnome")
        os.mkdir(home, mode=0o700)
        places = {name: home for name in ["HOME", "XDG_RUNTIME_DIR"]}
        for name in ["CONFIG", "DATA", "CACHE"]:
            places[f"XDG_{name}_HOME"] = os.path.join(home, name)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gnome_session.py")
        # Debian's Python: another one has no binding for the library.
        run = subprocess.run(["dbus-run-session", "--", "/usr/bin/python3", script, self.books.cards],
                             capture_output=True, text=True, env={**self.bench.environment, **places}, timeout=TIMEOUT)
        if run.returncode != 0:
            raise OSError(run.stderr.strip().rpartition("\n")[2])
        return {name: float(value) for name, value in (line.split("\t") for line in run.stdout.splitlines())}

    def compare(self, name, label, theirs, **figures):
        ours = self.bench.figures[self.books.contacts][name]["addressbook"]
        self.bench.line(label, ours, theirs)
        self.bench.figure(self.books, name, **figures)
