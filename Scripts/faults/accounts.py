"""CardDAV servers that name what is not theirs, and passwords on the network."""
import contextlib, json, os, subprocess, sys, tempfile

from case import FIXTURES, Book, case, check, needs

LOGIN = ("--user", "me", "--password-command", "echo x", "--keep-local")


@contextlib.contextmanager
def server(*books):
    """A CardDAV server with these address books; gives its URL, and the requests that it got."""
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        arguments = [argument for book in books for argument in ("--book", book)]
        process = subprocess.Popen(
            [sys.executable, FIXTURES + "/CardDAV/faulty-server.py", log.name, *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        try:
            port = int(process.stdout.readline())
            yield f"http://127.0.0.1:{port}/", lambda: [json.loads(line) for line in open(log.name)]
        finally:
            process.stdin.close()
            process.wait()


def files(*folders):
    """The content of all files in these folders, by path."""
    return {
        path: open(path, "rb").read()
        for folder in folders for parent, _, names in os.walk(folder) for path in (os.path.join(parent, name) for name in names)}


@case("97", "a CardDAV server names its address books after folders of others")
def _():
    needs("vdirsyncer")
    with Book() as book, server("contacts") as (good, _):
        contacts = os.path.join(book.home, "Contacts")
        os.mkdir(contacts)
        with open(os.path.join(contacts, "own.vcf"), "w") as file:
            file.write("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:own\r\nFN:Own\r\nEND:VCARD\r\n")
        book.done("account", "add", good, "--name", "good", *LOGIN)
        book.done("sync")
        root = os.path.join(book.path + ".accounts")
        up = "..%2f" * (root.count("/") + 3)
        names = (
            "..%2f..%2fgood%2fcards%2fcontacts", "%2e%2e", "..%252f..%252fgood%252fcards%252fcontacts", ".hidden", "%00",
            up + contacts.lstrip("/").replace("/", "%2f"), contacts.replace("/", "%2F"), "a%2f..%2f..%2f..%2fplanted", "%250a",
        )
        for name in names:
            with server(name) as (bad, requests):
                book.done("account", "add", bad, "--name", "bad", *LOGIN)
                before = files(root + "/good/cards", contacts)
                result = book.run("sync")
                check(result.returncode == 1, f"{name}: {result.returncode} {result.err}")
                check("bad" in result.err and "refused" in result.err, f"{name} was not refused: {result.err}")
                after = files(root + "/good/cards", contacts)
                check(after == before, f"{name}: {set(after) ^ set(before) or 'a card was changed'}")
                made = os.listdir(root + "/bad/cards")
                check(not made and not os.path.exists(root + "/planted"), f"{name}: made {made}")
                sent = [request for request in requests() if request["method"] not in ("PROPFIND", "OPTIONS")]
                check(not sent, f"{name}: {sent[:2]}")
                book.done("account", "remove", "bad")
        return f"{len(names)} names are refused"


@case("102", "a password for a CardDAV server would go over plain http")
def _():
    with Book() as book:
        for url in ("http://dav.example.org/", "HTTP://192.0.2.1/", "http://localhost.example.org/", "http://127.0.0.1.example.org/"):
            result = book.run("account", "add", url, *LOGIN)
            check(result.returncode == 2 and "https" in result.err, f"{url}: {result.returncode} {result.err}")
        book.done("account", "add", "http://dav.example.org/", "--name", "asked", *LOGIN, "--no-tls")
        for number, url in enumerate(("http://127.0.0.1:1/", "http://localhost:1/", "http://[::1]:1/")):
            book.done("account", "add", url, "--name", f"near{number}", *LOGIN)
        needs("vdirsyncer")
        # A server that is reached over TLS, or here, cannot name an address book elsewhere on plain http.
        with Book() as other, server("http://192.0.2.1/home/elsewhere/") as (near, requests):
            other.done("account", "add", near, "--name", "near", *LOGIN)
            result = other.run("sync")
            check(result.returncode == 1 and "elsewhere" in result.err, f"{result.returncode} {result.err}")
    return "refused, unless the server is on this machine or --no-tls is given"
