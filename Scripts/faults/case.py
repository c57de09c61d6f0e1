"""The common parts of the fault cases: a book in a separate folder, the program, and the checks after every case."""
import contextlib, json, os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

PROGRAM = os.environ.get("ADDRESSBOOK_PROGRAM", os.path.abspath(".build/release/addressbook"))
FIXTURES = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../Tests/Fixtures"))
CASES = []


class Skip(Exception):
    """The case cannot be run on this machine; the text says why."""


class Wrong(Exception):
    """The case failed; the text describes the failure."""


def case(number, title):
    def add(function):
        CASES.append((number, title, function))
        return function

    return add


def check(holds, seen):
    if not holds:
        raise Wrong(seen)


class Book:
    """A book in a temporary folder, or in a given folder."""

    def __init__(self, folder=None):
        self.own = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="addressbook-fault-")
        self.path = os.path.join(self.folder, "book.db")
        self.home = tempfile.mkdtemp(prefix="addressbook-home-")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.home, ignore_errors=True)
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, **more):
        return {
            "ADDRESSBOOK_FILE": self.path, "HOME": self.home, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", **more,
        }

    def run(self, *arguments, before=(), input=None, seconds=120, **more):
        """Runs the program and returns its result. `before` is a command that starts the program, such as
        ("faketime", "…")."""
        started = time.monotonic()
        result = subprocess.run(
            [*before, PROGRAM, *arguments], env=self.environment(**more), cwd=self.folder, timeout=seconds,
            input=input, stdin=subprocess.DEVNULL if input is None else None, capture_output=True)
        result.seconds = time.monotonic() - started
        result.out = result.stdout.decode("utf8", "replace")
        result.err = result.stderr.decode("utf8", "replace")
        check(result.returncode >= 0, f"{arguments[0]} died by signal {-result.returncode}: {result.err[-300:]}")
        for word in ("Fatal error", "ErrorString/", "swift_", "*** "):
            check(word not in result.err, f"{arguments[0]} printed: {result.err[-300:]}")
        return result

    def done(self, *arguments, **more):
        result = self.run(*arguments, **more)
        check(result.returncode == 0, f"{arguments} ended with {result.returncode}: {result.err.strip()}")
        return result

    def refused(self, *arguments, saying, **more):
        """Expects the command to fail with a message that contains `saying`."""
        result = self.run(*arguments, **more)
        check(result.returncode == 3, f"{arguments} ended with {result.returncode}: {result.err.strip()} {result.out[:100]}")
        check(saying in result.err, f"{arguments} said: {result.err.strip()}")
        return result

    def listed(self, *options, **more):
        """The contacts; an empty list ends with status 1."""
        result = self.run("list", *options, "--format", "json", **more)
        check(result.returncode in (0, 1), f"list ended with {result.returncode}: {result.err.strip()}")
        return json.loads(result.out or "[]")

    def names(self):
        return [contact["given"] for contact in self.listed()]

    def whole(self):
        """Checks that the book opens, and that SQLite finds no errors in it."""
        self.done("stats")
        with contextlib.closing(sqlite3.connect(self.path)) as database:
            answer = database.execute("PRAGMA integrity_check").fetchall()
            check(answer == [("ok",)], f"integrity: {answer[:3]}")
            check(not database.execute("PRAGMA foreign_key_check").fetchall(), "foreign keys")

    def start(self, *arguments, **more):
        return subprocess.Popen(
            [PROGRAM, *arguments], env=self.environment(**more), cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def cards(count, note=0):
    """Returns the vCards of Person0 to Person(count-1)."""
    return "".join(
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:fault-{n}\r\nN:Fault;Person{n};;;\r\nFN:Person{n} Fault\r\n"
        f"TEL;TYPE=CELL:+49 170 {n:07}\r\nNOTE:{'x' * note}\r\nEND:VCARD\r\n" for n in range(count)).encode()


def copied_program(book):
    """Returns a copy of the program, with its strings, that any user can read and run."""
    place = os.path.join(book.home, "bin")
    if not os.path.isdir(place):
        os.makedirs(place)
        shutil.copy(PROGRAM, place)
        for name in os.listdir(os.path.dirname(PROGRAM)):
            if name.endswith(".resources"):
                shutil.copytree(os.path.join(os.path.dirname(PROGRAM), name), os.path.join(place, name))
        subprocess.run(["chmod", "-R", "a+rX", book.home], check=True)
    return os.path.join(place, "addressbook")


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed")


def needs_root():
    if os.geteuid() != 0:
        raise Skip("needs root")


@contextlib.contextmanager
def mounted(*arguments):
    """Mounts a file system on a temporary folder."""
    needs_root()
    folder = tempfile.mkdtemp(prefix="addressbook-mount-")
    result = subprocess.run(["mount", *arguments, folder], capture_output=True, text=True)
    if result.returncode != 0:
        os.rmdir(folder)
        raise Skip(f"cannot mount: {result.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder])
        os.rmdir(folder)
