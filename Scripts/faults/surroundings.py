"""Clocks, time zones, languages, folders, users and system limits."""
import glob, json, os, resource, shutil, sqlite3, subprocess, sys, time

from case import FIXTURES, PROGRAM, Book, Skip, cards, case, check, needs, needs_root


@case("13", "the clock jumps: 1970, 2038, 2099, back")
def _():
    needs("faketime")
    with Book() as book:
        for n, day in enumerate(("2026-11-22", "1970-01-02", "2099-12-31", "2038-01-20", "2001-09-09")):
            before = ("faketime", day + " 12:00:00")
            book.done("add", "--set", f"given=P{n}", before=before)
            book.done("edit", "1", "--set", f"note={day}", before=before)
            shown = json.loads(book.done("show", "1", "--format", "json", before=before).out)
            check(shown["note"] == day, f"on {day}: {shown['note']}")
        check(len(book.names()) == 5, "a change is lost")
        # A clock that is behind does not make a card older: its changes are still imported.
        text = cards(1)
        book.done("import", "-", input=text, before=("faketime", "2099-01-01"))
        changed = text.replace(b"NOTE:", b"NOTE:changed")
        book.done("import", "-", input=changed, before=("faketime", "1970-01-02"))
        check(any(contact["note"] == "changed" for contact in json.loads(book.done("list", "--format", "json").out)), "ignored")
        book.whole()


@case("32", "HOME and the folders of the system are missing, odd or too long")
def _():
    seen = []
    with Book() as book:
        odd = os.path.join(book.home, "with space 李\nline")
        os.mkdir(odd)
        places = {
            "no HOME": {}, "HOME is read-only": {"HOME": "/proc"}, "HOME is missing": {"HOME": "/nonexistent/home"},
            "relative": {"HOME": odd, "XDG_DATA_HOME": "data"}, "odd": {"HOME": odd},
            "long": {"HOME": book.home, "XDG_DATA_HOME": "/tmp/" + "x" * 4000}, "empty": {"HOME": "", "XDG_DATA_HOME": ""},
        }
        for name, variables in places.items():
            result = subprocess.run(
                [PROGRAM, "add", "--set", "given=A"], env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **variables},
                cwd=book.folder, capture_output=True, text=True)
            check(result.returncode in (0, 3), f"{name}: {result.returncode} {result.stderr}")
            check(not os.listdir(book.folder), f"{name}: made {os.listdir(book.folder)} in the current folder")
            seen.append(f"{name}: {result.stderr.strip().splitlines()[0][:60] if result.stderr else 'stored'}")
        for name in ("with space.db", "李小龙.db", "new\nline.db", "-dash.db", "?mode=memory", "%41.db"):
            path = os.path.join(book.folder, name)
            book.done("add", "--book", path, "--set", "given=A")
            check(os.path.exists(path), f"{name!r} is not there: {os.listdir(book.folder)}")
    return "; ".join(seen)


@case("90", "there is little memory")
def _():
    with Book() as book:
        book.done("demo", "--contacts", "500")
        file = os.path.join(book.home, "cards.vcf")
        open(file, "wb").write(cards(20_000, note=300))
        seen = {}
        for kilobytes in (60_000, 110_000, 115_000, 120_000, 130_000, 140_000, 150_000, 170_000, 200_000, 400_000):
            starts = False
            for arguments in ("list", "import " + file, "add --set given=A"):
                before = len(book.names())
                result = subprocess.run(
                    ["/bin/sh", "-c", f"ulimit -v {kilobytes}; exec \"$0\" {arguments}", PROGRAM], env=book.environment(),
                    cwd=book.folder, capture_output=True, text=True, timeout=60)
                starts = starts or result.returncode in (0, 3)
                check(not starts or result.returncode in (0, 3), f"{kilobytes} kB: {arguments} ended with {result.returncode}")
                seen.setdefault(result.returncode, []).append(f"{kilobytes >> 10} MiB {arguments.split()[0]}: {result.stderr.strip()[-80:]}")
                if kilobytes >= 200_000:
                    check(result.returncode == 0, f"{kilobytes} kB is too little for {arguments}: {result.returncode} {result.stderr}")
                if result.returncode != 0:
                    check(len(book.names()) == before, f"{kilobytes} kB: half of {arguments} was stored")
            book.whole()
        count = len(book.names())
        check(count > 500, "nothing was stored")
        return "; ".join(f"{len(texts)} ended with {status}, such as {texts[-1]}" for status, texts in sorted(seen.items()))


@case("91", "there are few descriptors")
def _():
    with Book() as book:
        book.done("demo", "--contacts", "50")
        for limit in range(3, 16):
            for arguments in ("list", "add --set given=A", "export", "query a"):
                result = subprocess.run(
                    ["/bin/sh", "-c", f"ulimit -n {limit}; exec \"$0\" {arguments}", PROGRAM], env=book.environment(),
                    cwd=book.folder, capture_output=True, text=True)
                if result.returncode == 127 and "shared libraries" in result.stderr:
                    continue
                check(result.returncode in (0, 1, 3), f"{limit} {arguments}: {result.returncode} {result.stderr}")
                check(result.returncode != 3 or "descriptors" in result.stderr, f"{limit} {arguments}: {result.stderr}")
        book.whole()


@case("92", "languages and time zones do not change data or days")
def _():
    with Book() as book:
        book.done("add", "--set", "given=İrem", "--set", "family=ISIK", "--set", "birthday=1990-03-31")
        book.done("add", "--set", "given=小龙", "--set", "family=李", "--set", "birthday=--02-29")
        first = book.done("list", "--format", "json").out
        for variables in (
            {"LANG": "C"}, {"LANG": "POSIX"}, {"LC_ALL": "zh_CN.GB18030"}, {"LC_ALL": "tr_TR.UTF-8"}, {"TZ": "Pacific/Kiritimati"},
            {"TZ": "Etc/GMT+12"}, {"TZ": "Europe/Berlin"}, {"TZ": "nonsense/zone"}, {"LANG": ""},
        ):
            for day in ("2026-03-29 03:30:00", "2026-10-25 02:30:00", "2026-11-22 00:00:01"):
                before = ("faketime", day) if shutil.which("faketime") else ()
                check(book.done("list", "--format", "json", before=before, **variables).out == first, f"{variables}: {day}")
            found = book.done("list", "isik", "--format", "tsv", **variables).out
            check("ISIK" in found, f"{variables}: isik is not found")
            text = book.done("export", **variables).stdout
            with Book() as other:
                other.done("import", "-", input=text, **variables)
                birthdays = sorted(contact["birthday"] for contact in json.loads(other.done("list", "--format", "json").out))
                check(birthdays == ["--02-29", "1990-03-31"], f"{variables}: {birthdays}")


@case("93", "root runs the program in another user's home folder")
def _():
    needs_root()
    with Book() as book:
        # HOME is that of user 65534, as with `sudo -E`.
        os.chmod(book.home, 0o755)
        os.chown(book.home, 65534, 65534)
        environment = {name: value for name, value in book.environment().items() if name != "ADDRESSBOOK_FILE"}
        result = subprocess.run([PROGRAM, "add", "--set", "given=A"], env=environment, capture_output=True, text=True)
        owned = [
            os.path.join(folder, name) for folder, folders, files in os.walk(book.home) for name in folders + files
            if os.lstat(os.path.join(folder, name)).st_uid == 0]
        check(result.stderr.strip() or not owned, f"without a warning, root owns {len(owned)} files, such as {owned[:2]}")
        return result.stderr.strip()


@case("94", "there is no /proc, no /dev/tty, no /dev/null")
def _():
    needs_root()
    needs("unshare")
    with Book() as book:
        book.done("add", "--set", "given=A")
        for hidden in ("/proc", "/dev", "/tmp"):
            if book.folder.startswith(hidden + "/"):
                continue
            for arguments in ("list --format tsv", "add --set given=B", "list B --format tsv"):
                result = subprocess.run(
                    ["unshare", "-m", "/bin/sh", "-c", f"mount -t tmpfs none {hidden} && exec \"$0\" {arguments}", PROGRAM],
                    env=book.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True)
                if "mount" in result.stderr or "unshare" in result.stderr:
                    raise Skip(result.stderr.strip())
                check(result.returncode == 0, f"without {hidden}: {arguments}: {result.returncode} {result.stderr}")
        book.whole()


@case("95", "a new program with old books, and an old program with a new one")
def _():
    seen = []
    for file in sorted(glob.glob(FIXTURES + "/Books/v[0-9].sql")):
        with Book() as book:
            database = sqlite3.connect(book.path)
            database.executescript(open(file).read())
            database.close()
            os.chmod(book.path, 0o600)
            check(len(book.names()) == 2, f"{file}: {book.names()}")
            kept = book.path + "." + os.path.basename(file)[:2]
            check(os.path.exists(kept), f"no copy: {os.listdir(book.folder)}")
            database = sqlite3.connect(kept)
            version = database.execute("PRAGMA user_version").fetchone()[0]
            database.close()
            seen.append(f"version {version} converted, its copy kept")
            # A book of a newer version of the program.
            database = sqlite3.connect(book.path)
            database.execute("PRAGMA user_version = 9999")
            database.close()
            bytes_before = open(book.path, "rb").read()
            book.refused("add", "--set", "given=X", saying="newer")
            check(open(book.path, "rb").read() == bytes_before, "a newer book was written to")
    return ", ".join(seen)


@case("76", "a million contacts")
def _():
    generator = os.environ.get("GEN_VCARDS")
    if not generator or not os.environ.get("FAULTS_LARGE"):
        raise Skip("FAULTS_LARGE or GEN_VCARDS is not set")
    with Book() as book:
        file = os.path.join(book.home, "million.vcf")
        with open(file, "wb") as output:
            subprocess.run([sys.executable, generator, "1000000"], stdout=output, check=True)
        started = time.monotonic()
        process = book.start("import", file)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        check(status == 0, f"status {status}")
        check(usage.ru_maxrss < 1 << 20, f"{usage.ru_maxrss >> 10} MiB of memory")
        return f"{seconds:.0f} s, {usage.ru_maxrss >> 10} MiB"
