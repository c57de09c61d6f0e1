"""Times a sync of a folder of cards with a book, and vdirsyncer's sync of the same folder with a copy of it."""

import os
import statistics
import subprocess
import time

import cards_folder

CHANGED = 10


class SyncFolders:
    def __init__(self, program, books, environment, has_peer):
        self.program, self.has_peer = program, has_peer
        self.root = os.path.join(books.folder, "sync")
        self.folder = os.path.join(self.root, "cards", "people")
        os.makedirs(os.path.join(self.root, "copy"))
        self.environment = dict(environment, ADDRESSBOOK_FILE=os.path.join(self.root, "book.db"))
        cards = subprocess.run(
            [program, "--book", books.book, "export"], capture_output=True, check=True, env=environment).stdout
        self.names = cards_folder.write(cards, self.folder)
        self.configuration = os.path.join(self.root, "vdirsyncer.conf")
        with open(self.configuration, "w") as file:
            file.write(
                f'[general]\nstatus_path = "{self.root}/status/"\n'
                '[pair people]\na = "one"\nb = "other"\ncollections = ["people"]\nconflict_resolution = "a wins"\n'
                f'[storage one]\ntype = "filesystem"\npath = "{self.root}/cards/"\nfileext = ".vcf"\n'
                f'[storage other]\ntype = "filesystem"\npath = "{self.root}/copy/"\nfileext = ".vcf"\n')

    def ours(self):
        return self._time([self.program, "sync", self.folder])

    def vdirsyncer(self, command="sync"):
        if not self.has_peer:
            return None
        return self._time(["vdirsyncer", "-v", "CRITICAL", "-c", self.configuration, command])

    def change(self, round):
        for name in self.names[round * CHANGED:(round + 1) * CHANGED]:
            path = os.path.join(self.folder, name)
            with open(path, "rb") as file:
                text = file.read()
            with open(path + ".tmp", "wb") as file:
                file.write(text.replace(b"END:VCARD", b"X-ROUND:%d\r\nEND:VCARD" % round))
            os.rename(path + ".tmp", path)

    def measure(self):
        """Returns the milliseconds that the program and vdirsyncer need for the first sync, for a sync with ten
        changes, and for one without changes."""
        self.vdirsyncer("discover")
        first = (self.ours(), self.vdirsyncer())
        changed, unchanged = [], []
        for round in range(3):
            self.change(round)
            changed.append((self.ours(), self.vdirsyncer()))
            unchanged.append((self.ours(), self.vdirsyncer()))

        def medians(runs):
            ours, theirs = zip(*runs)
            return statistics.median(ours), statistics.median(theirs) if self.has_peer else None

        return {
            "first sync": first, f"sync, {CHANGED} changed": medians(changed), "sync, none changed": medians(unchanged),
        }

    def _time(self, arguments):
        started = time.perf_counter()
        subprocess.run(
            arguments, input=b"y\n" * 10, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
            check=True)
        return (time.perf_counter() - started) * 1000
