"""The same sample contacts as a book, a file of cards, a file of abook, a text file and a bare SQLite table."""

import os
import sqlite3
import subprocess
import sys
import time


class Books:
    """The files for one number of contacts, in one folder."""

    def __init__(self, program, folder, contacts, environment, has_others=True):
        self.contacts = contacts
        self.folder = os.path.join(folder, str(contacts))
        os.makedirs(self.folder, mode=0o700)
        self.book = os.path.join(self.folder, "book.db")
        self.abook = os.path.join(self.folder, "addressbook")
        self.table = os.path.join(self.folder, "people.txt")
        self.like = os.path.join(self.folder, "like.db")
        generator = os.environ.get("GEN_VCARDS")
        self.cards = os.path.join(self.folder, "people.vcf")
        if generator:
            subprocess.run([sys.executable, generator, str(contacts), "--out", self.cards], check=True)
            run = [program, "--book", self.book, "import", self.cards]
        else:
            run = [program, "demo", "--book", self.book, "--contacts", str(contacts)]
        started = time.perf_counter()
        subprocess.run(run, check=True, stderr=subprocess.DEVNULL, env=environment)
        # The duration of the import, or of the creation of the sample contacts.
        self.seconds = time.perf_counter() - started
        # Only one word of the first contact's name: a program may draw a space by moving the cursor.
        with sqlite3.connect(self.book) as book:
            first = book.execute("SELECT display_name FROM contact ORDER BY section, sort_key, id LIMIT 1").fetchone()
        book.close()
        self.first_word = first[0].split()[0]
        if not has_others:
            if generator:
                os.remove(self.cards)
            return
        if not generator:
            with open(self.cards, "wb") as cards:
                subprocess.run([program, "--book", self.book, "export"], check=True, stdout=cards, env=environment)
        self._write_others()

    def _write_others(self):
        source = sqlite3.connect(self.book)
        rows = source.execute(
            "SELECT id, display_name, list_email, list_phone, organization, note FROM contact"
            " WHERE deleted_at IS NULL ORDER BY section, sort_key, id"
        )
        like = sqlite3.connect(self.like)
        like.execute("CREATE TABLE person(id INTEGER PRIMARY KEY, name, email, phone, organization, note)")
        with open(self.table, "w") as table, open(self.abook, "w") as abook:
            abook.write("[format]\nprogram=abook\nversion=0.6.1\n\n\n")
            for place, row in enumerate(rows):
                number, name, email, phone, organization, note = row
                table.write("\t".join(part.replace("\n", " ") for part in row[1:]) + "\n")
                abook.write(f"[{place}]\nname={name}\n")
                if email:
                    abook.write(f"email={email}\n")
                if phone:
                    abook.write(f"mobile={phone}\n")
                if note:
                    abook.write("notes=" + note.replace("\n", " ") + "\n")
                abook.write("\n")
                like.execute("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)", row)
        like.commit()
        like.close()
        source.close()
