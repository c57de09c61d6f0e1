#!/usr/bin/env python3
"""Called by the power-failure simulator with STATE, the folder after the failure, and ACKS, the number of lines that
were printed before. The first argument names one of the cases below. If its check fails, the script prints the reason
and exits with 1."""
import json, os, shutil, sqlite3, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import Book, Wrong, check


def edits(book, acknowledged):
    """The states after each acknowledged edit are in the file that STATES names; one more edit may have been stored."""
    states = json.load(open(os.environ["STATES"]))
    found = names_and_notes(book)
    allowed = states[acknowledged:acknowledged + 2]
    check(found in allowed, f"after {acknowledged} lines: {found} is not one of {allowed}")
    book.whole()
    book.done("add", "--set", "given=Afterwards")


def names_and_notes(book):
    return sorted([contact["given"], contact["note"]] for contact in contacts(book))


def migration(book, _):
    """All contacts are there, whether the failure came before or after the migration, and the old version is kept."""
    check(len(contacts(book)) == 2, "contacts are missing")
    book.whole()
    old = [name for name in os.listdir(book.folder) if ".db.v" in name and name.endswith(os.environ["VERSION"])]
    check(len(old) == 1, f"no copy of the old book in {os.listdir(book.folder)}")


def export(book, acknowledged):
    """The file is complete, either the old one or the new one."""
    text = open(os.path.join(book.folder, "cards.vcf"), "rb").read()
    count = text.count(b"END:VCARD\r\n")
    check(text.endswith(b"END:VCARD\r\n") and count in (1, 200), f"{len(text)} bytes, {count} cards")


def backup(book, acknowledged):
    """The backup is either complete or missing, and the book is unchanged."""
    file = os.path.join(book.folder, "copy.db")
    check(os.path.exists(file) or not acknowledged, "the backup was reported, but does not exist")
    if os.path.exists(file):
        check(len(contacts(book, "--book", file)) == 50, "the backup is incomplete")
    check(len(contacts(book)) == 50, "the book has changed")
    book.whole()


def restore(book, acknowledged):
    """The book is undamaged, and is either the previous book or the backup."""
    found = len(contacts(book))
    check(found == 50 if acknowledged else found in (50, 51), f"{found} contacts")
    book.whole()
    check(len(contacts(book, "--book", os.path.join(book.folder, "copy.db"))) == 50, "the backup has changed")
    kept = [name for name in os.listdir(book.folder) if ".replaced-" in name and not name.endswith(("-wal", "-shm"))]
    # A simulator that does not record link() never has the kept book.
    if found == 50 and kept:
        check(len(contacts(book, "--book", os.path.join(book.folder, kept[0]))) == 51, "the kept book is incomplete")


def imported(book, acknowledged):
    """All cards of the import are there, or none. The program reports the import only after the commit."""
    found = len(contacts(book))
    check(found == 401 if acknowledged else found in (1, 401), f"{found} contacts")
    book.whole()
    book.done("add", "--set", "given=Afterwards")


def sync(book, acknowledged):
    """Every file is complete, and the next sync has the same result as an uninterrupted sync."""
    folder = os.path.realpath(os.path.join(book.folder, "cards"))

    def files():
        return {name: open(os.path.join(folder, name)).read() for name in os.listdir(folder) if name.endswith(".vcf")}

    check(all(text.endswith("END:VCARD\n") for text in files().values()), "a file is incomplete")
    # The simulator copies the folder to another place, but the book has stored the path.
    with sqlite3.connect(book.path) as database:
        database.execute("UPDATE sync_folder SET path = ?", [folder])
    database.close()
    book.done("sync", folder)
    found = sorted((contact["name"], contact["title"], contact["nickname"]) for contact in contacts(book))
    check(found == [("Local", "", ""), ("ann", "Poet", ""), ("eva", "", "Evi"), ("new", "", "")], f"{found}")
    now = files()
    check(len(now) == 4 and "bob.vcf" not in now and "TITLE:Poet" in now["ann.vcf"], f"{sorted(now)}")
    book.whole()


def contacts(book, *options):
    return book.listed(*options)


book = Book(os.environ["STATE"])
try:
    with book:
        look = {"edits": edits, "migration": migration, "export": export, "backup": backup, "restore": restore,
            "sync": sync, "imported": imported}
        look[sys.argv[1]](book, int(os.environ["ACKS"]))
except Wrong as wrong:
    sys.exit(f"{wrong} {os.listdir(book.folder)}")
