"""Power failures and kill -9."""
import glob, json, os, random, re, shlex, shutil, signal, sqlite3, subprocess, sys, tempfile, time

from case import FIXTURES, PROGRAM, Book, Skip, cards, case, check, needs

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("SECONDS", "10"))
# Every POINTS-th disk operation is tried. POINTS=1 tries all of them, which takes half an hour.
POINTS = os.environ.get("POINTS", "5")

# Changes, each with the contacts after the change, as pairs of name and note.
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


@case("3", "power fails during edits, file names are lost")
def _():
    return edits("strict")


@case("4", "the process dies at any disk operation of an edit")
def _():
    return edits("kill")


@case("6", "power fails while the book is created")
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
    """Runs a command in the folder of a book that `prepare` fills, and checks the states at each disk operation."""
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
        # Changes of each kind, on both sides.
        book.done("edit", "ann", "--set", "title=Poet")
        book.done("delete", "bob")
        book.done("add", "--set", "given=Local")
        write("eva", "NICKNAME:Evi")
        write("new")

    return in_all_modes("sync", "sync cards", prepare)


@case("4-kill", "kill -9 at random moments: no acknowledged change is lost")
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
            result = book.run("list", "--format", "json")
            check(result.returncode in (0, 1), f"list ended with {result.returncode}: {result.err.strip()}")
            slowest = max(slowest, result.seconds)
            names = {contact["given"] for contact in json.loads(result.out or "[]")}
            missing = [name for name in acknowledged if name not in names]
            check(not missing, f"acknowledged but lost: {missing}")
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
                    # There is a backup folder too, if an import ended before it was killed.
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
