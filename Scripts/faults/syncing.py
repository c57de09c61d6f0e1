"""Edits of the book while a sync runs, or after one was killed."""
import json, os, random, signal, subprocess, time

from case import PROGRAM, Book, case, check, needs

SECONDS = float(os.environ.get("SECONDS", 10))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
CONTACTS = 6


class SyncedBook(Book):
    """A book with a few contacts that are in a folder."""

    def __enter__(self):
        os.mkdir(os.path.join(self.folder, "cards"))
        self.ids = [self.done("add", "--set", f"family=Name{n}").out.strip() for n in range(CONTACTS)]
        self.done("sync", "cards")
        self.titles = {contact: "" for contact in self.ids}
        return self

    def edit(self, contact, title):
        self.done("edit", contact, "--set", f"title={title}")
        self.titles[contact] = title

    def delete(self, contact):
        self.done("delete", contact)
        self.titles[contact] = None

    def restore(self, contact, title=""):
        self.done("undelete", contact)
        self.titles[contact] = title

    def compare(self, step):
        """Syncs twice, and checks that both sides have what was last written, without a conflict."""
        for _ in range(2):
            result = self.run("sync", "cards", "--force-delete")
            check(result.returncode == 0, f"{step}: status {result.returncode} {result.err.strip()}")
        found = {str(c["id"]): c["title"] for c in json.loads(self.run("list", "--format", "json").out or "[]")}
        wanted = {contact: title for contact, title in self.titles.items() if title is not None}
        check(found == wanted, f"{step}: the book has {found}, not {wanted}")
        texts = []
        for name in os.listdir(os.path.join(self.folder, "cards")):
            if name.endswith(".vcf"):
                with open(os.path.join(self.folder, "cards", name)) as file:
                    lines = file.read().splitlines()
                texts.append(next((line[6:] for line in lines if line.startswith("TITLE:")), ""))
        check(sorted(texts) == sorted(wanted.values()), f"{step}: the folder has {texts}, not {wanted}")


@case("98", "a contact is edited or deleted while a sync writes its file")
def _():
    needs("strace")
    for what in ("edit", "delete", "other"):
        with SyncedBook() as book:
            contact = book.ids[0]
            book.edit(contact, "A")
            syncing = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=rename,renameat,renameat2", "-e",
                 "inject=rename,renameat,renameat2:delay_exit=1500000", PROGRAM, "sync", "cards"],
                env=book.environment(), cwd=book.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            path = os.path.join(book.folder, "cards")
            while syncing.poll() is None and not any(
                    b"TITLE:A" in open(os.path.join(path, name), "rb").read() for name in os.listdir(path)
                    if name.endswith(".vcf")):
                time.sleep(0.01)
            check(syncing.poll() is None, "the sync ended too early")
            if what == "edit":
                book.edit(contact, "B")
            elif what == "delete":
                book.edit(contact, "B")
                book.delete(contact)
            else:
                book.done("edit", contact, "--set", "organization=O")
            syncing.wait()
            book.compare(what)
    return "an edit, a deletion, an edit of another field"


@case("98-random", "edits, deletions and restorations beside syncs, sync --watch and kill -9 of both")
def _():
    source = random.Random(SEED)
    counts = {"sync": 0, "killed": 0, "watch": 0}
    with SyncedBook() as book:
        end = time.monotonic() + SECONDS * 3
        step = 0

        def change():
            nonlocal step
            step += 1
            contact = source.choice(book.ids)
            if book.titles[contact] is None:
                book.restore(contact, book.last[contact])
            elif source.random() < 0.2:
                book.last[contact] = book.titles[contact]
                book.delete(contact)
            else:
                book.edit(contact, f"T{step}")

        book.last = {}
        while time.monotonic() < end:
            kind = source.choice(list(counts))
            counts[kind] += 1
            change()
            running = book.start("sync", *(["--watch"] if kind == "watch" else []), "cards")
            for _ in range(6 if kind == "watch" else source.randrange(3)):
                change()
                time.sleep(source.uniform(0, 0.4 if kind == "watch" else 0.05))
            if kind == "killed" or kind == "watch" and source.random() < 0.5:
                running.send_signal(signal.SIGKILL)
            elif kind == "watch":
                running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
            change()
            book.compare(f"seed {SEED}, after {step} edits, {kind}")
        book.whole()
    return f"{step} edits beside {counts}"
