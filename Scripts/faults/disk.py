"""Full disks, limits, and files that cannot be written."""
import os, shutil, stat, subprocess, sys

from case import PROGRAM, Book, Skip, cards, case, check, copied_program, mounted, needs, needs_root
from processes import Terminals

FULL = "disk is full"


def fill(folder, leave=0):
    """Takes all the space of a file system except for some bytes."""
    free = os.statvfs(folder)
    with open(os.path.join(folder, "filler"), "wb") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, max(1, free.f_bavail * free.f_frsize - leave))
        except OSError as error:
            if leave == 0 and error.errno != 28:
                raise


def empty(folder):
    os.unlink(os.path.join(folder, "filler"))


@case("22", "the disk is full during an edit")
def _():
    with mounted("-t", "tmpfs", "-o", "size=3m", "none") as folder, Book(folder) as book:
        for n in range(20):
            book.done("add", "--set", f"given=P{n}")
        tried = 0
        # The disk becomes full at each step of a save: from no free space to enough.
        for leave in range(0, 200_000, 4096):
            before = sorted(book.names())
            fill(folder, leave)
            result = book.run("add", "--set", f"given=Q{leave}", "--set", "note=" + "x" * 20_000)
            empty(folder)
            after = sorted(book.names())
            if result.returncode == 0:
                check(f"Q{leave}" in after, "acknowledged but lost")
            else:
                tried += 1
                check(result.returncode == 3 and FULL in result.err, f"{result.returncode}: {result.err.strip()}")
                check(after == before, "something was stored nevertheless")
            book.whole()
        check(tried > 2, f"only {tried} saves found the disk full")
        book.done("add", "--set", "given=Room")
        return f"{tried} saves refused, none stored in part; the first one with room was stored"


@case("23", "the disk is full during an import, an export, a photo")
def _():
    with mounted("-t", "tmpfs", "-o", "size=4m", "none") as folder, Book(folder) as book:
        book.done("add", "--set", "given=First")
        names = sorted(os.listdir(folder))
        text = cards(3000, note=1500)
        book.refused("import", "-", input=text, saying=FULL)
        check(book.names() == ["First"], "a part of the import was stored")
        with Book() as source:
            source.done("import", "-", input=text)
            result = source.run("export", "-o", os.path.join(folder, "all.vcf"))
            check(result.returncode == 3 and "all.vcf" in result.err, f"export: {result.returncode} {result.err}")
        picture = os.path.join(os.path.dirname(__file__), "../../Tests/Fixtures/Images/jpeg-baseline.jpg")
        fill(folder)
        result = book.run("photo", "set", "1", picture)
        check(result.returncode == 3 and FULL in result.err, f"photo: {result.returncode} {result.err}")
        empty(folder)
        book.whole()
        book.done("photo", "set", "1", picture)
        check(sorted(os.listdir(folder)) == names, f"left behind: {os.listdir(folder)}")


@case("24", "deleting on a full disk")
def _():
    with mounted("-t", "tmpfs", "-o", "size=3m", "none") as folder, Book(folder) as book:
        for n in range(10):
            book.done("add", "--set", f"given=P{n}")
        fill(folder)
        result = book.run("delete", "1")
        listing = book.run("list", "--format", "tsv")
        with Terminals(book) as screens:
            screens.open("one")
            screens.wait("one", "disk full")
            screens.keys("one", "d")
            screens.wait("one", "The disk is full")
            check("read-only" not in screens.text("one"), screens.text("one"))
        empty(folder)
        check(result.returncode == 0 or FULL in result.err, f"{result.returncode}: {result.err.strip()}")
        check(listing.returncode == 0, f"reading: {listing.err.strip()}")
        book.whole()
        check(len(book.names()) == (9 if result.returncode == 0 else 10), "half deleted")
        return result.err.strip() or "deleted"


@case("25", "a limit on the file size")
def _():
    with Book() as book:
        book.done("demo", "--contacts", "50")
        for blocks in (4, 8, 64, 100):
            for arguments in ("add --set given=A", "import cards.vcf", "export -o out.vcf"):
                open(os.path.join(book.folder, "cards.vcf"), "wb").write(cards(2000))
                before = len(book.names())
                result = subprocess.run(
                    ["/bin/sh", "-c", f"ulimit -f {blocks}; exec \"$0\" {arguments}", PROGRAM], env=book.environment(),
                    cwd=book.folder, capture_output=True, text=True)
                check(result.returncode in (0, 3), f"{blocks} {arguments}: {result.returncode} {result.stderr}")
                if result.returncode == 3:
                    check(len(book.names()) == before, f"{blocks} {arguments}: half stored")
                    check("disk is full" in result.stderr or "large" in result.stderr, f"{blocks} {arguments}: {result.stderr}")
            book.whole()


def as_nobody(book, *arguments):
    """Runs the program as another user."""
    needs("setpriv")
    needs_root()
    return subprocess.run(
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", copied_program(book), *arguments],
        env=book.environment(), cwd="/", capture_output=True, text=True)


@case("26", "the book is read-only")
def _():
    with Book() as book:
        book.done("add", "--set", "given=A")
        os.chmod(book.folder, 0o755)
        os.chmod(book.path, 0o444)
        result = as_nobody(book, "list", "--format", "tsv")
        check(result.returncode == 0 and "A" in result.stdout, f"list: {result.returncode} {result.stderr}")
        result = as_nobody(book, "add", "--set", "given=B")
        check(result.returncode == 3 and "cannot be written" in result.stderr, f"add: {result.returncode} {result.stderr}")
        return result.stderr.strip()


@case("27", "the folder is read-only")
def _():
    with Book() as book:
        book.done("add", "--set", "given=A")
        os.chmod(book.path, 0o666)
        os.chmod(book.folder, 0o555)
        result = as_nobody(book, "list", "--format", "tsv")
        check(result.returncode == 0 and "A" in result.stdout, f"list: {result.returncode} {result.stderr}")
        result = as_nobody(book, "add", "--set", "given=B")
        check(result.returncode == 3, f"add: {result.returncode} {result.stderr}")
        said = result.stderr.strip()
        os.chmod(book.folder, 0o755)
        check(book.names() == ["A"], "changed")
        return said


@case("28", "every file is private, even with umask 022")
def _():
    with Book() as book:
        os.umask(0o022)
        for arguments in (("add", "--set", "given=A"), ("list",), ("export", "-o", "out.vcf")):
            book.done(*arguments)
        standard = {name: value for name, value in book.environment().items() if name != "ADDRESSBOOK_FILE"}
        subprocess.run([PROGRAM, "add", "--set", "given=A"], env=standard, capture_output=True, check=True)
        wrong = []
        for top in (book.home, book.folder):
            for folder, folders, files in os.walk(top):
                for name in folders + files:
                    path = os.path.join(folder, name)
                    mode = stat.S_IMODE(os.lstat(path).st_mode)
                    ours = "addressbook" in path[len(top):] or top == book.folder
                    if ours and mode & 0o077:
                        wrong.append(f"{path} {mode:o}")
        check(not wrong, ", ".join(wrong))


@case("33", "the disk fails: EIO on reading, writing and flushing")
def _():
    needs("strace")
    seen = []
    with Book() as book:
        for n in range(20):
            book.done("add", "--set", f"given=P{n}")
        for call in ("pread64", "pwrite64", "fsync,fdatasync"):
            for when in ("1", "2", "3", "5", "8", "1+", "4+"):
                before = sorted(book.names())
                result = book.run(
                    "add", "--set", "given=New", seconds=30,
                    before=("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                            f"inject={call}:error=EIO:when={when}", "-P", book.path, "-P", book.path + "-wal"))
                after = sorted(book.names())
                if result.returncode == 0:
                    check(after == sorted(before + ["New"]), f"{call} {when}: acknowledged but lost")
                else:
                    check(result.returncode == 3, f"{call} {when}: {result.returncode} {result.err}")
                    # After a failed flush, the change may or may not be stored.
                    check(after in (before, sorted(before + ["New"])), f"{call} {when}: half stored")
                    seen.append(result.err.strip().splitlines()[0][-60:])
                book.whole()
    check(seen, "no error was met")
    return f"{len(seen)} refused, such as: {seen[-1]}"


@case("34", "the book is on a FAT file system")
def _():
    needs_root()
    needs("mkfs.vfat")
    with Book() as keeper:
        image = os.path.join(keeper.home, "image")
        with open(image, "wb") as file:
            file.truncate(16 << 20)
        subprocess.run(["mkfs.vfat", image], check=True, capture_output=True)
        with mounted("-o", "loop,uid=0", image) as folder, Book(folder) as book:
            result = book.run("add", "--set", "given=A")
            check(result.returncode in (0, 3), f"{result.returncode}: {result.err}")
            if result.returncode == 0:
                check(book.names() == ["A"], "not stored")
            return result.err.strip() or "works"
