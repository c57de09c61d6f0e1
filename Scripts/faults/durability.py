"""Power failures and kill -9."""
import contextlib, glob, json, os, random, re, shlex, shutil, signal, sqlite3, subprocess, sys, tempfile, time

from case import FIXTURES, PROGRAM, Book, Skip, cards, case, check, needs

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("SECONDS", "10"))
# Every POINTS-th disk operation is tried; each of them with POINTS=1, which takes half an hour.
POINTS = os.environ.get("POINTS", "5")

# Each line is a change; the other is what it leaves, as pairs of name and note.
EDITS = [
    ("add --set given=A", [["A", ""]]),
    ("add --set given=B", [["A", ""], ["B", ""]]),
    ("edit {a} --set note=x", [["A", "x"], ["B", ""]]),
    ("delete {b}", [["A", "x"]]),
    ("undelete {b}", [["A", "x"], ["B", ""]]),
    ("edit {b} --set note=" + "y" * 9000, [["A", "x"], ["B", "y" * 9000]]),
]


def powerloss(book, mode, look, command, points=POINTS, **more):
    simulator = os.environ.get("POWERLOSS")
    if not simulator:
        raise Skip("POWERLOSS is not set")
    needs("strace")
    look = f"{shlex.quote(sys.executable)} {HERE}/power_check.py {look}"
    result = subprocess.run(
        [sys.executable, simulator, "--dir", book.folder, "--mode", mode, "--points", points, "--check", look, "-q", "--",
         "/bin/sh", "-c", command],
        env=book.environment(ADDRESSBOOK_PROGRAM=PROGRAM, **more), capture_output=True, text=True)
    check(result.returncode == 0 and "0 findings" in result.stdout, result.stdout + result.stderr[-500:])
    return re.search(r"\d+ crash states checked", result.stdout).group()


def edits(mode, there=1):
    with Book() as book:
        states = [[]] + [state for _, state in EDITS]
        if there:
            book.done("add", "--set", "given=0")
            states = [[["0", ""]] + state for state in states]
        ids = {"a": 1 + there, "b": 2 + there}
        file = os.path.join(book.home, "states")
        json.dump(states, open(file, "w"))
        command = "; ".join(f"{shlex.quote(PROGRAM)} {edit.format(**ids)} || exit 1" for edit, _ in EDITS)
        return powerloss(book, mode, "edits", command, STATES=file)


@case("1", "power fails during edits, unsynced data is lost")
def _():
    return edits("lost")


@case("2", "power fails during edits, sectors are torn")
def _():
    return edits("random")


@case("3", "power fails during edits, names of files are lost")
def _():
    return edits("strict")


@case("4", "the process dies at any disk operation of an edit")
def _():
    return edits("kill")


@case("6", "power fails while the book is made")
def _():
    return ", ".join(f"{mode}: {edits(mode, there=0)}" for mode in ("lost", "strict", "random"))


@case("7", "power fails while an old book is converted")
def _():
    seen = []
    for file in sorted(glob.glob(FIXTURES + "/Books/v[0-9].sql")):
        for mode in ("lost", "strict", "random", "kill"):
            with Book() as book:
                with sqlite3.connect(book.path) as database:
                    database.executescript(open(file).read())
                    database.execute("PRAGMA journal_mode = WAL")
                database.close()
                version = os.path.basename(file)[:2]
                states = powerloss(book, mode, "migration", f"{shlex.quote(PROGRAM)} stats", VERSION=version)
                seen.append(f"{version} {mode}: {states.split()[0]}")
    return ", ".join(seen)


def in_all_modes(look, arguments, prepare):
    """The states of one command, run in the folder of a book that `prepare` fills, at each disk operation."""
    seen = []
    for mode in ("lost", "strict", "random", "kill"):
        with Book() as book:
            prepare(book)
            command = f"cd {shlex.quote(book.folder)} && {shlex.quote(PROGRAM)} {arguments} && echo done"
            seen.append(f"{mode}: {powerloss(book, mode, look, command, points='1').split()[0]}")
    return ", ".join(seen)


@case("8", "power fails while an export replaces a file")
def _():
    with Book() as source:
        source.done("import", "-", input=cards(200, note=500))

        def prepare(target):
            with open(os.path.join(target.folder, "cards.vcf"), "wb") as file:
                file.write(cards(1))
                os.fsync(file.fileno())

        return in_all_modes("export", f"export --book {shlex.quote(source.path)} -o cards.vcf", prepare)


@case("8-backup", "power fails while a book is backed up")
def _():
    return in_all_modes("backup", "backup copy.db", lambda book: book.done("import", "-", input=cards(50, note=500)))


@case("8-restore", "power fails while a backup becomes the book")
def _():
    def prepare(book):
        book.done("import", "-", input=cards(50, note=500))
        book.done("backup", "copy.db")
        book.done("add", "--set", "given=Later")

    return in_all_modes("restore", "restore copy.db", prepare)


@case("86", "power fails while a folder of cards is synced")
def _():
    def card(uid, *lines):
        return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"FN:{uid}", *lines, "END:VCARD", ""])

    def prepare(book):
        folder = os.path.join(book.folder, "cards")
        os.mkdir(folder)

        def write(uid, *lines):
            with open(os.path.join(folder, uid + ".vcf"), "w", newline="") as file:
                file.write(card(uid, *lines))
                os.fsync(file.fileno())

        for uid in ("ann", "bob", "eva"):
            write(uid)
        book.done("sync", folder)
        # Something of everything, on both sides.
        book.done("edit", "ann", "--set", "title=Poet")
        book.done("delete", "bob")
        book.done("add", "--set", "given=Local")
        write("eva", "NICKNAME:Evi")
        write("new")

    return in_all_modes("sync", "sync cards", prepare)


@case("4-kill", "kill -9 at random moments: what was acknowledged is there")
def _():
    source = random.Random(int(os.environ.get("SEED", "1")))
    end = time.monotonic() + SECONDS
    kills = written = 0
    slowest = 0
    with Book() as book:
        book.done("add", "--set", "given=First")
        while time.monotonic() < end:
            # Each line of output is a change that was acknowledged.
            script = f"i=0; while :; do i=$((i+1)); {shlex.quote(PROGRAM)} add --set given={kills}-$i || exit 3; done"
            process = subprocess.Popen(
                ["/bin/sh", "-c", script], env=book.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True)
            time.sleep(source.uniform(0, 0.5))
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            check(not errors, errors.decode())
            acknowledged = [f"{kills}-{n + 1}" for n in range(output.count(b"\n"))]
            result = book.done("list", "--format", "json")
            slowest = max(slowest, result.seconds)
            names = {contact["given"] for contact in json.loads(result.out or "[]")}
            missing = [name for name in acknowledged if name not in names]
            check(not missing, f"acknowledged and gone: {missing}")
            written += len(acknowledged)
            kills += 1
        book.whole()
        check(slowest < 1, f"a start took {slowest:.2f} s")
    return f"{kills} kills, {written} acknowledged changes, none lost"


@case("5", "kill -9 at random moments of an import: none or all")
def _():
    source = random.Random(int(os.environ.get("SEED", "1")))
    text = cards(10_000)
    end = time.monotonic() + SECONDS
    kills = 0
    with Book() as book:
        file = os.path.join(book.home, "cards.vcf")
        open(file, "wb").write(text)
        book.done("add", "--set", "given=First")
        started = time.monotonic()
        with Book() as other:
            other.done("import", file)
        whole = time.monotonic() - started
        while time.monotonic() < end:
            process = book.start("import", file)
            time.sleep(source.uniform(0, whole * 1.2))
            process.kill()
            process.communicate()
            count = len(book.names())
            check(count in (1, 10_001), f"{count - 1} of 10,000")
            kills += 1
            if count > 1:
                for name in glob.glob(book.path + "*"):
                    # A backup was made after an import that ended in time.
                    shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
                book.done("add", "--set", "given=First")
        book.whole()
    return f"{kills} kills"


@case("5-power", "power fails during an import: none or all")
def _():
    def prepare(book):
        book.done("add", "--set", "given=First")
        # Enough contacts that the program suspends the triggers.
        open(os.path.join(book.folder, "cards.vcf"), "wb").write(cards(400))

    return in_all_modes("imported", "import cards.vcf 2>&1", prepare)


@case("12", "the log is deleted after kill -9, as a cleaner does")
def _():
    with Book() as book:
        for n in range(5):
            book.done("add", "--set", f"given=P{n}")
        check(not os.path.exists(book.path + "-wal"), "a normal end leaves a log")
        process = book.start("import", "-")
        process.kill()
        process.communicate()
        for end in ("-wal", "-shm"):
            if os.path.exists(book.path + end):
                os.unlink(book.path + end)
        check(len(book.names()) == 5, "more is lost than was in the log")
        book.whole()


# What a command must leave as it was or as it makes it, without times, versions and checksums.
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
    """The contents of all files of cards."""
    files = {}
    for path in glob.glob(folder + "/cards*/*.vcf"):
        with open(path, "rb") as file:
            files[os.path.relpath(path, folder)] = re.sub(rb"REV:[^\r]*", b"", file.read())
    return files


def killed(book, source, commands, judge):
    """Kills commands at random moments in copies of a book.
    judge(copy, before, after, files): raises what is wrong with a copy, given its contents before and after a full run,
    and the files of cards after it."""
    script = "; ".join(shlex.join([PROGRAM, *command]) for command in commands)

    def start(copy):
        return subprocess.Popen(
            ["/bin/sh", "-c", script], env=copy.environment(), cwd=copy.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    before = None
    with Book() as full:
        shutil.copytree(book.folder, full.folder, dirs_exist_ok=True)
        with contextlib.suppress(sqlite3.DatabaseError):
            before = contents(full.path)
        started = time.monotonic()
        process = start(full)
        output, errors = process.communicate()
        seconds = time.monotonic() - started
        check(process.returncode in (0, 1), f"{script}: {process.returncode} {errors}")
        after, files = contents(full.path), card_files(full.folder)
    tries = ended = 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with Book() as copy:
            shutil.copytree(book.folder, copy.folder, dirs_exist_ok=True)
            process = start(copy)
            time.sleep(source.uniform(0, seconds * 1.1))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            finished = not process.communicate()[1] and process.returncode in (0, 1)
            judge(copy, before, after, files)
            tries += 1
            ended += finished
            copy.whole()
    return f"{tries} tries, {tries - ended} killed"


def whole_or_nothing(copy, before, after, _):
    found = contents(copy.path)
    different = [name for name in found if found[name] not in (before[name], after[name])]
    check(not different, f"partly stored: {different}")
    check(found in (before, after), "some tables are as before, others are not")


@case("4-commands", "kill -9 during commands that write much: all or nothing")
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

    def attempt(name, book, commands, judge=whole_or_nothing):
        seen.append(f"{name}: {killed(book, source, commands, judge)}")
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

        # The second round only forgets what both sides no longer have.
        attempt("sync", book, [("sync", f"cards{number}") for number in (0, 1, 2) * 2], synced)
    return "; ".join(seen)
