"""Several processes with one book."""
import json, os, shutil, signal, subprocess, sys, time

from case import PROGRAM, Book, Wrong, cards, case, check, needs


class Terminals:
    """Screens in a separate tmux server."""

    def __init__(self, book):
        needs("tmux")
        self.book = book
        self.socket = os.path.join(book.home, "tmux")

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", self.socket, "-f", "/dev/null", *arguments], env=self.book.environment(), capture_output=True,
            text=True)

    def open(self, name, *command):
        """Opens a screen; `command` starts the program in another way."""
        result = self.tmux("new-session", "-d", "-s", name, "-x", "100", "-y", "30", *(command or [PROGRAM]))
        check(result.returncode == 0, result.stderr)

    def text(self, name):
        return self.tmux("capture-pane", "-p", "-t", name).stdout

    def keys(self, name, *keys):
        self.tmux("send-keys", "-t", name, *keys)

    def wait(self, name, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.text(name):
            if time.monotonic() > end:
                raise Wrong(f"{name} never showed {text!r}:\n{self.text(name)}")
            time.sleep(0.02)

    def pid(self, name):
        return int(self.tmux("display-message", "-p", "-t", name, "#{pane_pid}").stdout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")


def many(book, commands):
    """Runs all commands at once; none of them may fail."""
    running = [book.start(*command) for command in commands]
    for process in running:
        _, errors = process.communicate(timeout=120)
        check(process.returncode == 0, f"{process.returncode}: {errors.decode()}")


@case("36", "two screens are open and fifty writers add contacts")
def _():
    with Book() as book, Terminals(book) as screens:
        book.done("add", "--set", "given=First")
        for name in ("one", "two"):
            screens.open(name)
            screens.wait(name, "1 of 1")
        rounds = 10
        started = time.monotonic()
        for turn in range(rounds):
            many(book, [("add", "--set", f"given=W{turn}-{n}") for n in range(50)])
        seconds = time.monotonic() - started
        total = rounds * 50 + 1
        names = book.names()
        check(len(names) == total and len(set(names)) == total, f"{len(names)} of {total}")
        for name in ("one", "two"):
            screens.wait(name, f"of {total}")
            check("locked" not in screens.text(name) and "busy" not in screens.text(name), screens.text(name))
        book.whole()
        return f"{rounds * 50} writes by {rounds * 50} processes in {seconds:.1f} s, none lost, both screens show them"


@case("39", "a stopped process holds the write lock")
def _():
    needs("sqlite3")
    with Book() as book:
        book.done("add", "--set", "given=A")
        other = subprocess.Popen(["sqlite3", book.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        other.stdin.write("BEGIN IMMEDIATE;\nSELECT 'held';\n")
        other.stdin.flush()
        check(other.stdout.readline() == "held\n", "no lock")
        os.kill(other.pid, signal.SIGSTOP)
        try:
            check(book.names() == ["A"], "reading waits")
            result = book.refused("add", "--set", "given=B", saying=str(other.pid))
            check(result.seconds < 30, f"waited {result.seconds:.0f} s")
        finally:
            other.kill()
            other.communicate()
        book.done("add", "--set", "given=B")
        book.whole()
        return result.err.strip()


@case("40", "fifty queries during an import")
def _():
    with Book() as book:
        book.done("demo", "--contacts", "200")
        file = os.path.join(book.home, "cards.vcf")
        open(file, "wb").write(cards(10_000))
        importing = book.start("import", file)
        many(book, [("query", "a") if n % 2 else ("list", "--format", "tsv") for n in range(50)])
        _, errors = importing.communicate(timeout=120)
        check(importing.returncode == 0, errors.decode())
        check(len(book.names()) == 10_200, "contacts are missing")


@case("41", "a program that is started inherits no descriptor")
def _():
    with Book() as book, Terminals(book) as screens:
        book.done("add", "--set", "given=A")
        screens.open("one")
        screens.wait("one", "1 of 1")
        pid = screens.pid("one")
        left = []
        for number in os.listdir(f"/proc/{pid}/fdinfo"):
            flags = int(open(f"/proc/{pid}/fdinfo/{number}").read().split("flags:")[1].split()[0], 8)
            if int(number) > 2 and not flags & os.O_CLOEXEC:
                left.append(os.readlink(f"/proc/{pid}/fd/{number}"))
        check(not left, ", ".join(left))


@case("42", "the book is replaced while a screen is open")
def _():
    with Book() as book, Book() as other, Terminals(book) as screens:
        book.done("add", "--set", "given=Old")
        other.done("add", "--set", "given=New")
        screens.open("one")
        screens.wait("one", "Old")
        os.rename(other.path, book.path)
        screens.wait("one", "replaced")
        seen = screens.text("one")
        # Each command that would write offers to open the new book.
        screens.keys("one", "a")
        screens.wait("one", "open the book again")
        screens.keys("one", "Up", "Enter")
        screens.wait("one", "New")
        check(book.names() == ["New"], "the new book was written to")
        book.whole()
        return next(line.strip() for line in seen.splitlines() if "replaced" in line)


@case("99", "another book is renamed over one whose log is not empty")
def _():
    needs("sqlite3")
    ways = []
    for way in ("screen", "reader", "killed", "copied", "moved"):
        with Book() as book, Book() as other, Terminals(book) as screens:
            book.done("demo", "--contacts", "200")
            other.done("add", "--set", "given=New")
            if way == "screen":
                screens.open("one")
                screens.wait("one", "of 20")
            reader = subprocess.Popen(["sqlite3", book.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            try:
                reader.stdin.write("BEGIN; SELECT 'read' FROM contact LIMIT 1;\n")
                reader.stdin.flush()
                check(reader.stdout.readline() == "read\n", "no reader")
                book.done("add", "--set", "given=Logged")
                if way == "screen":
                    reader.stdin.write("END;\n")
                    reader.stdin.close()
                    reader.wait()
                    book.done("edit", "1", "--set", "note=again")
                elif way == "killed":
                    reader.kill()
                    reader.wait()
                if way in ("copied", "moved"):
                    # The book and its log, not another file: nothing may be set aside.
                    for end in ("", "-wal"):
                        shutil.copy(book.path + end, other.path + end)
                        if way == "moved":
                            os.rename(other.path + end, other.path + ".moved" + end)
                    if way == "moved":
                        other.path += ".moved"
                    check(len(other.names()) == 201 and "Logged" in other.names(), way)
                    other.whole()
                    check(not [name for name in os.listdir(other.folder) if "replaced" in name], "set aside")
                    continue
                os.rename(other.path, book.path)
                check(book.names() == ["New"], f"{way}: {len(book.names())} contacts")
                book.done("add", "--set", "given=Later")
                check(sorted(book.names()) == ["Later", "New"], way)
                aside = [name for name in os.listdir(book.folder) if "-wal.replaced" in name]
                check(len(aside) <= 1 and (aside or way == "screen"), f"{way}: {aside}")
                ways.append(way)
            finally:
                reader.kill()
                reader.wait()
            book.whole()
    return "whole with " + ", ".join(ways)


@case("43", "a long reader prevents the log from being shortened")
def _():
    needs("sqlite3")
    with Book() as book:
        book.done("add", "--set", "given=A")
        reader = subprocess.Popen(["sqlite3", book.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        reader.stdin.write("BEGIN;\nSELECT count(*) FROM contact;\n")
        reader.stdin.flush()
        reader.stdout.readline()
        for n in range(20):
            book.done("demo", "--contacts", "200", "--seed", str(n))
        size = os.path.getsize(book.path + "-wal")
        reader.communicate("COMMIT;\n.quit\n")
        book.done("add", "--set", "given=B")
        left = os.path.getsize(book.path + "-wal") if os.path.exists(book.path + "-wal") else 0
        check(left < 1 << 20, f"{left} bytes of log after the reader left")
        book.whole()
        return f"{size >> 10} KiB of log while it reads, {left >> 10} KiB afterwards"


@case("12", "the log is deleted after kill -9, as by a cleanup program")
def _():
    with Book() as book:
        for n in range(5):
            book.done("add", "--set", f"given=P{n}")
        check(not os.path.exists(book.path + "-wal"), "a normal exit leaves a log")
        with Terminals(book) as screens:
            screens.open("one")
            screens.wait("one", "P4")
            book.done("add", "--set", "given=Q")
            os.kill(screens.pid("one"), signal.SIGKILL)
        check(os.path.exists(book.path + "-wal"), "no log was left")
        for end in ("-wal", "-shm"):
            os.unlink(book.path + end)
        check(sorted(book.names()) == [f"P{n}" for n in range(5)], "more is lost than was in the log")
        book.whole()


@case("10", "a screen is killed with its log beside the book")
def _():
    with Book() as book, Terminals(book) as screens:
        book.done("add", "--set", "given=First")
        screens.open("one")
        screens.wait("one", "First")
        for n in range(3):
            book.done("add", "--set", f"given=P{n}")
        check(os.path.exists(book.path + "-wal"), "there is no log")
        os.kill(screens.pid("one"), signal.SIGKILL)
        started = time.monotonic()
        names = book.names()
        check(len(names) == 4 and time.monotonic() - started < 1, f"{names}")
        book.whole()


@case("55", "another program writes to the terminal")
def _():
    with Book() as book, Terminals(book) as screens:
        book.done("add", "--set", "given=First")
        for name in ("one", "undisturbed"):
            screens.open(name)
            screens.wait(name, "First")
        tty = screens.tmux("display-message", "-p", "-t", "one", "#{pane_tty}").stdout.strip()
        with open(tty, "w") as terminal:
            terminal.write("\033[5;5Hgarbage garbage\033[9;1Hgarbage")
        screens.wait("one", "garbage")
        screens.keys("one", "C-l")
        end = time.monotonic() + 10
        while screens.text("one") != screens.text("undisturbed") and time.monotonic() < end:
            time.sleep(0.02)
        check(screens.text("one") == screens.text("undisturbed"), screens.text("one"))
