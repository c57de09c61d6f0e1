"""Changes to all contacts at once on the screen, compared with bare SQL that writes the same rows: the contacts or the
members of a group, with the book's triggers, and a history entry for each contact."""

import os
import sqlite3
import time

from terminal_program import TerminalProgram

BAR = 3
GROUP = "Bench"
# A bar for each kind; the slowest counts.
KINDS = {
    "deleting": ["delete", "redo of the deletion"],
    "undo for": ["undo of the deletion", "second undo", "undo of the group"],
    "a group of": ["add to a group"],
}
TIMEOUT = 600
GROUP_ID = f"SELECT id FROM contact_group WHERE name = '{GROUP}'"
DELETED = "SELECT count(*) FROM contact WHERE deleted_at IS NOT NULL"
MEMBERS = f"SELECT count(*) FROM group_member WHERE group_id = ({GROUP_ID})"
RECORDS = [
    "INSERT INTO edit_step(kind, action, made_at) VALUES (0, 'edit', '2026-01-01T00:00:00.000Z')",
    "INSERT INTO edit_entry SELECT (SELECT max(id) FROM edit_step), id, NULL, 1, 1, version, version + 1,"
    " zeroblob(64), NULL FROM contact",
]
NOW = "'2026-01-01T00:00:00.000Z'"


class BulkEdits:
    def __init__(self, program, books, environment):
        self.books, self.environment = books, environment
        self.command = [program, "--book", books.book]
        deletion = f"UPDATE contact SET deleted_at = {NOW}, version = version + 1 WHERE deleted_at IS NULL"
        restoration = "UPDATE contact SET deleted_at = NULL, version = version + 1 WHERE deleted_at IS NOT NULL"
        everyone, nobody = [(books.contacts,)], [(0,)]
        # For each change: the keys, a query with its expected result after them, and the equivalent SQL.
        self.edits = [
            ("delete", ["A", "d", "y"], DELETED, everyone, [deletion]),
            ("undo of the deletion", ["u"], DELETED, nobody, [restoration]),
            ("redo of the deletion", ["\x12"], DELETED, everyone, [deletion]),
            ("second undo", ["u"], DELETED, nobody, [restoration]),
            ("add to a group", ["A", "+", GROUP, "\r"], MEMBERS, everyone,
             [f"INSERT INTO contact_group(uid, name) VALUES ('bench', '{GROUP}')",
              f"INSERT INTO group_member(group_id, contact_id) SELECT ({GROUP_ID}), id FROM contact"]),
            ("undo of the group", ["u"], MEMBERS, nobody, [f"DELETE FROM group_member WHERE group_id = ({GROUP_ID})"]),
        ]

    def measure(self):
        """Returns for each change the seconds from its last key to the commit, and the seconds of the SQL."""
        screen = TerminalProgram(self.command, self.environment)
        screen.wait_for(self.books.first_word)
        screen.settle(3)
        book = sqlite3.connect(self.books.book)
        found = {}
        for name, keys, question, answer, _ in self.edits:
            for key in keys[:-1]:
                screen.press(key, 0.5)
            found[name] = [self.seconds(screen, keys[-1], book, question, answer)]
            screen.settle(2)
        book.close()
        screen.end()
        for name, seconds in self.bare().items():
            found[name].append(seconds)
        return found

    def seconds(self, screen, key, book, question, answer):
        def version():
            return book.execute("PRAGMA data_version").fetchone()

        last, started = version(), time.perf_counter()
        os.write(screen.terminal, key.encode())
        while time.perf_counter() < started + TIMEOUT:
            screen.read(0.002)
            if version() != last:
                committed, last = time.perf_counter(), version()
                if book.execute(question).fetchall() == answer:
                    return committed - started
        raise TimeoutError(f"{key!r} did not change the book: {bytes(screen.output[-2000:])!r}")

    def bare(self):
        copy = os.path.join(self.books.folder, "bare.db")
        with sqlite3.connect(self.books.book) as book:
            book.execute("VACUUM INTO ?", (copy,))
        book.close()
        database = sqlite3.connect(copy, isolation_level=None)
        database.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON")
        found = {}
        for name, *_, statements in self.edits:
            started = time.perf_counter()
            database.execute("BEGIN IMMEDIATE")
            for statement in [*statements, *RECORDS]:
                database.execute(statement)
            database.execute("COMMIT")
            found[name] = time.perf_counter() - started
        database.close()
        os.remove(copy)
        return found
