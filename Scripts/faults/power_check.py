#!/usr/bin/env python3
"""Called by the power-failure simulator with STATE, a folder as the failure left it, and ACKS, how many lines were printed
before. The first argument says which of the cases below is looked at; a failure is said and ends with 1."""
import json, os, shutil, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import Book, Wrong, check


def edits(book, acknowledged):
    """The states after each acknowledged edit are in the file STATES; one edit more may have been stored."""
    states = json.load(open(os.environ["STATES"]))
    found = contents(book)
    allowed = states[acknowledged:acknowledged + 2]
    check(found in allowed, f"after {acknowledged} lines: {found} is none of {allowed}")
    book.whole()
    book.done("add", "--set", "given=Afterwards")


def contents(book):
    found = json.loads(book.done("list", "--format", "json").out or "[]")
    return sorted([contact["given"], contact["note"]] for contact in found)


def migration(book, _):
    """Everybody is there, whether the failure came before or after, and an old version is kept once the new one is there."""
    check(len(json.loads(book.done("list", "--format", "json").out)) == 2, "contacts are missing")
    book.whole()
    old = [name for name in os.listdir(book.folder) if ".db.v" in name and name.endswith(os.environ["VERSION"])]
    check(len(old) == 1, f"no copy of the old book in {os.listdir(book.folder)}")


def export(book, acknowledged):
    """The file is whole, as it was before or as it is now."""
    text = open(os.path.join(book.folder, "cards.vcf"), "rb").read()
    count = text.count(b"END:VCARD\r\n")
    check(text.endswith(b"END:VCARD\r\n") and count in (1, 200), f"{len(text)} bytes, {count} cards")


book = Book(os.environ["STATE"])
try:
    with book:
        {"edits": edits, "migration": migration, "export": export}[sys.argv[1]](book, int(os.environ["ACKS"]))
except Wrong as wrong:
    sys.exit(f"{wrong} {os.listdir(book.folder)}")
