"""Times evolution-data-server, the address book library of GNOME, in the session bus that it is started in:

  gnome_session.py CARDS

Prints `name<TAB>milliseconds` lines for peers.py. The start of Python and of the library's services is not measured.
"""

import statistics
import sys
import time

import gi

for library in ["EBook", "EBookContacts", "EDataServer"]:
    gi.require_version(library, "1.2")
from gi.repository import EBook, EBookContacts, EDataServer

# A local book has no server whose connection could be waited for.
NO_WAIT = 2**32 - 1
SOURCE = "bench"
NO_FLAGS = EBookContacts.BookOperationFlags.NONE


def timed(body):
    started = time.perf_counter()
    result = body()
    return (time.perf_counter() - started) * 1000, result


def report(name, milliseconds):
    print(f"{name}\t{milliseconds}", flush=True)


def make_book():
    source = EDataServer.Source.new_with_uid(SOURCE, None)
    source.set_display_name(SOURCE)
    source.set_parent("local-stub")
    source.get_extension(EDataServer.SOURCE_EXTENSION_ADDRESS_BOOK).set_backend_name("local")
    EDataServer.SourceRegistry.new_sync(None).commit_source_sync(source, None)


def open_book():
    registry = EDataServer.SourceRegistry.new_sync(None)
    return EBook.BookClient.connect_sync(registry.ref_source(SOURCE), NO_WAIT, None)


def find(book, query):
    return book.get_contacts_sync(query, None)[1]


def add(book, texts):
    # All in one call: batches of 1,000 take longer.
    book.add_contacts_sync([EBookContacts.Contact.new_from_vcard(text) for text in texts], NO_FLAGS, None)


def change(book, contact, round):
    contact.set_property("note", f"round {round}")
    return timed(lambda: book.modify_contact_sync(contact, NO_FLAGS, None))[0]


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    texts = ["BEGIN:VCARD" + card for card in file.read().split("BEGIN:VCARD")[1:]]
make_book()
book = open_book()
report("import", timed(lambda: add(book, texts))[0])

# The cursor that reads a page in order cannot be used from Python, so all contacts are read, as GNOME's programs do.
opening, contacts = timed(lambda: find(open_book(), ""))
if len(contacts) != len(texts):
    sys.exit(f"{len(contacts)} contacts of {len(texts)}")
report("all contacts", opening)

for name, field in [("search of names", "full_name"), ("search of all fields", "x-evolution-any-field")]:
    runs = [timed(lambda: find(book, f'(contains "{field}" "smith")')) for _ in range(5)]
    if not runs[0][1]:
        sys.exit(f"{name} found nothing")
    report(name, statistics.median(milliseconds for milliseconds, _ in runs))
report("save", statistics.median(change(book, contacts[0], round) for round in range(11)))
