"""kill -9 during commands that write a lot."""
import contextlib, glob, os, random, re, shlex, shutil, signal, sqlite3, subprocess, tempfile, time

from case import PROGRAM, Book, cards, case, check

SECONDS = float(os.environ.get("SECONDS", "10"))

# The contents that a killed command must either not change or change completely; without times, versions and checksums.
CONTENTS = {
    "contacts": "SELECT uid, given, family, organization, title, note, birthday, deleted_at IS NULL FROM contact",
    "phones": "SELECT c.uid, p.label, p.value, p.position FROM phone p JOIN contact c ON c.id = p.contact_id",
    "emails": "SELECT c.uid, e.label, e.value, e.position FROM email e JOIN contact c ON c.id = e.contact_id",
    "cards": "SELECT c.uid, l.lines FROM contact_card l JOIN contact c ON c.id = l.contact_id",
    "members": "SELECT g.name, c.uid FROM group_member m JOIN contact_group g ON g.id = m.group_id"
    " JOIN contact c ON c.id = m.contact_id",
    "groups": "SELECT name FROM contact_group",
    "folders": "SELECT f.path, c.uid, s.is_leaving FROM synced_card s JOIN sync_folder f ON f.id = s.folder_id"
    " JOIN contact c ON c.id = s.contact_id",
    "steps": "SELECT s.action, s.subject, s.count, s.reversed_by IS NULL, count(e.step_id), total(e.last_id - e.contact_id)"
    " FROM edit_step s LEFT JOIN edit_entry e ON e.step_id = s.id GROUP BY s.id",
}


def contents(path, *left_out):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return {name: sorted(database.execute(sql), key=repr) for name, sql in CONTENTS.items() if name not in left_out}


def card_files(folder):
    """Returns the contents of all files of cards, without the times in REV."""
    files = {}
    for path in glob.glob(folder + "/cards*/*.vcf"):
        with open(path, "rb") as file:
            files[os.path.relpath(path, folder)] = re.sub(rb"REV:[^\r]*", b"", file.read())
    return files


def killed(book, source, commands, verify):
    """Kills commands at random moments, each time with the same book.
    verify(book, before, after, files): raises an error if something is wrong with the book, given its contents before
    and after a full run, and the files of cards after it."""
    script = "; ".join(shlex.join([PROGRAM, *command]) for command in commands)

    def start():
        return subprocess.Popen(
            ["/bin/sh", "-c", script], env=book.environment(), cwd=book.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def reset():
        # The folder stays the same: the book stores the paths of folders.
        for name in os.listdir(book.folder):
            path = os.path.join(book.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        shutil.copytree(saved, book.folder, dirs_exist_ok=True)

    saved = tempfile.mkdtemp(prefix="addressbook-saved-")
    shutil.copytree(book.folder, saved, dirs_exist_ok=True)
    before = None
    with contextlib.suppress(sqlite3.DatabaseError):
        before = contents(book.path)
    reset()
    started = time.monotonic()
    process = start()
    _, errors = process.communicate()
    seconds = time.monotonic() - started
    check(process.returncode in (0, 1), f"{script}: {process.returncode} {errors}")
    after, files = contents(book.path), card_files(book.folder)
    tries = ended = 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end or tries < 3:
        reset()
        process = start()
        time.sleep(source.uniform(0, seconds * 1.1))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        verify(book, before, after, files)
        tries += 1
        ended += process.returncode >= 0
        book.whole()
    reset()
    shutil.rmtree(saved)
    return f"{tries - ended} killed, {ended} ended before"


def whole_or_nothing(copy, before, after, _):
    found = contents(copy.path)
    different = [name for name in found if found[name] not in (before[name], after[name])]
    check(not different, f"partly stored: {different}")
    check(found in (before, after), "some tables are as before, others are not")


@case("4-commands", "kill -9 during commands that write a lot: all or nothing")
def _():
    source = random.Random(int(os.environ.get("SEED", "1")))
    seen = []

    def prepare(book, folders=0, count=3000):
        for number in range(folders):
            os.mkdir(os.path.join(book.folder, f"cards{number}"))
        book.done("import", "-", input=cards(count, note=200))
        ids = [str(number) for number in range(1, count // 2)]
        book.done("group", "add", "Friends", *ids)
        book.done("group", "add", "Work", *ids[::2])
        book.done("delete", *ids[:20])
        book.done("edit", str(count), "--set", "note=kept")
        return ids

    def attempt(name, book, commands, verify=whole_or_nothing):
        seen.append(f"{name}: {killed(book, source, commands, verify)}")
        if os.environ.get("VERBOSE"):
            print(seen[-1], flush=True)

    with Book() as book:
        ids = prepare(book)
        attempt("group", book, [("group", "delete", "Friends")])
        attempt("delete", book, [("delete", *ids[20:])])
        book.done("delete", *ids[20:])
        attempt("undo", book, [("undo",)])
        attempt("trash", book, [("trash", "empty")])
    with Book() as book:
        prepare(book)
        book.done("backup", os.path.join(book.folder, "backup.db"))
        book.done("delete", *[str(number) for number in range(1600, 2500)])
        old, new = contents(book.path), contents(os.path.join(book.folder, "backup.db"))

        def restored(copy, *_):
            found = contents(copy.path)
            check(found in (old, new), "neither the old book nor the backup")
            if found == new:
                kept = [path for path in glob.glob(copy.path + ".replaced-*") if not path.endswith(("-wal", "-shm"))]
                check(any(contents(path) == old for path in kept), f"the previous book is not kept: {kept}")

        attempt("restore", book, [("restore", "backup.db")], restored)
    for damage in ("value", "page"):
        with Book() as book:
            prepare(book)
            book.done("stats")
            with contextlib.closing(sqlite3.connect(book.path)) as database:
                page = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'phone'").fetchone()[0]
            with open(book.path, "r+b") as file:
                file.seek(file.read().index(b"Person2999") if damage == "value" else (page - 1) * 4096)
                file.write(b"Q" if damage == "value" else source.randbytes(4096))
            with Book() as mended:
                shutil.copytree(book.folder, mended.folder, dirs_exist_ok=True)
                mended.run("doctor", "--repair")
                whole = contents(mended.path)

            def repaired(copy, *_):
                result = copy.run("doctor", "--repair")
                check(result.returncode in (0, 1), f"{result.returncode} {result.err} {result.out[-300:]}")
                found = contents(copy.path)
                check(found == whole, f"another repair gives other {[name for name in found if found[name] != whole[name]]}")

            attempt(f"repair of a {damage}", book, [("doctor", "--repair")], repaired)
    with Book() as book:
        ids = prepare(book, folders=3, count=900)
        for number in range(3):
            book.done("sync", f"cards{number}")
        attempt("folder move", book, [("folder", "move", "cards1", *ids[20:])])
        book.done("folder", "move", "cards1", *ids[100:200])
        book.done("folder", "move", "cards2", *ids[200:300])
        for number in range(100):
            with open(os.path.join(book.folder, "cards0", f"new{number}.vcf"), "w", newline="") as file:
                file.write(f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:new-{number}\r\nFN:New {number}\r\nEND:VCARD\r\n")
        book.done("delete", *ids[300:330])

        def synced(copy, before, after, files):
            for number in (0, 1, 2) * 2:
                copy.done("sync", f"cards{number}")
            found = contents(copy.path, "steps")
            for name in found:
                check(found[name] == after[name], f"{name}: {set(found[name]) ^ set(after[name])}"[:500])
            check(card_files(copy.folder) == files, "other files")

        # The second round only removes the state of cards that both sides have deleted.
        attempt("sync", book, [("sync", f"cards{number}") for number in (0, 1, 2) * 2], synced)
    return "; ".join(seen)
