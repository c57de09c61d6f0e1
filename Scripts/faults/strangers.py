"""What strangers control: pictures, links, the current folder, servers, and the limits of the system."""
import os, re, shutil, socket, ssl, subprocess, sys, tempfile, threading, time

from case import PROGRAM, Book, Wrong, case, check, copied_program, needs, needs_root
from processes import Terminals

SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))

# Confines itself as the decoder does and prints the numbers of all calls that are not refused. Some calls end the
# process whatever their arguments.
PROBE = """
#include "confine.c"
#include <stdio.h>
int main(void) {
  if (picture_process_confine(1ul << 30)) return 1;
  for (int number = 0; number < 1000; number++) {
    if (number == SYS_exit || number == SYS_exit_group || number == SYS_rt_sigreturn) continue;
#ifdef __x86_64__
    if (number == 335 || number == 336) continue;
#endif
    errno = 0;
    syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
    if (errno != EPERM && errno != ENOSYS) printf("%d ", number);
  }
  return 0;
}
"""


@case("103", "the decoder makes system calls that it does not need, or that are newer than the program")
def _():
    needs("clang")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.c")
        open(source, "w").write(PROBE)
        decoder = os.path.join(SOURCES, "Sources/CPictures")
        subprocess.run(["clang", "-w", "-I", decoder, "-I", decoder + "/include", source, "-o", folder + "/probe"], check=True)
        result = subprocess.run([folder + "/probe"], capture_output=True, text=True)
        check(result.returncode == 0, f"{result.returncode} {result.stderr}")
        numbers = [int(number) for number in result.stdout.split()]
        check(20 < len(numbers) < 80, f"{len(numbers)} calls are allowed: {numbers}")
        # faccessat2 is the only call since Linux 5.1.
        check([number for number in numbers if number >= 424] == [439], f"newer calls are allowed: {numbers}")
        return f"{len(numbers)} calls are allowed, all others refused"


@case("104", "export to a link to a device or a pipe")
def _():
    needs_root()
    needs("unshare")
    with Book() as book:
        book.done("add", "--set", "given=A")
        card = book.done("export").out
        # A /dev of its own, in case the program replaces its files.
        script = """
mount -t tmpfs none /dev && ln -s /proc/self/fd /dev/fd && ln -s /proc/self/fd/1 /dev/stdout && mknod /dev/null c 1 3 &&
mkfifo pipe && ln -s pipe link || exit 77
timeout 20 cat pipe >one & "$0" export -o link || exit 1
wait
"$0" export -o /dev/stdout | cat >two
"$0" export -o /dev/stdout >three || exit 2
"$0" export -o /dev/null || exit 3
[ -L link ] && [ -p pipe ] && [ -L /dev/stdout ] && [ -c /dev/null ] || exit 4
"""
        result = subprocess.run(
            ["unshare", "-m", "/bin/sh", "-c", script, PROGRAM], env=book.environment(), cwd=book.folder, capture_output=True,
            text=True, timeout=60)
        check(result.returncode == 0, f"{result.returncode}: {result.stderr}")
        for name in ("one", "two", "three"):
            check(open(os.path.join(book.folder, name)).read().replace("\n", "\r\n") == card.replace("\r", "").replace("\n", "\r\n"),
                  f"{name} is not the export")


@case("105", "the limit of processes is reached while the screen is open")
def _():
    needs("prlimit", "setpriv")
    needs_root()
    with Book() as book, Terminals(book) as screens:
        book.done("demo", "--contacts", "200")
        person = ("setpriv", "--reuid", "65533", "--regid", "65533", "--clear-groups")
        program = copied_program(book)
        for folder, folders, files in os.walk(book.folder):
            for name in [folder, *(os.path.join(folder, file) for file in files)]:
                os.chown(name, 65533, 65533)
        screens.open("one", *person, program)
        screens.wait("one", "1 of 200")
        limit = subprocess.run([*person, "prlimit", "--nproc=1:1", "--pid", str(screens.pid("one"))], capture_output=True, text=True)
        check(limit.returncode == 0, limit.stderr)
        # Threads that have nothing to do end after five seconds. After that, each key needs new ones.
        tasks = f"/proc/{screens.pid('one')}/task"
        end = time.monotonic() + 20
        while len(os.listdir(tasks)) > 10 and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(6)
        for round in range(3):
            screens.keys("one", "j", "/", "l", "i")
            screens.wait("one", "/ li", 5)
            screens.keys("one", "Escape")
            screens.wait("one", "of 200", 5)
            screens.keys("one", "e")
            screens.wait("one", "^S", 5)
            screens.keys("one", "Escape")
            screens.wait("one", "of 200", 5)
            time.sleep(6)
        screens.keys("one", "q")
        book.whole()


@case("106", "the current folder says which certificates to trust, and names need not match")
def _():
    needs("openssl")
    with Book() as book:
        certificate, key = (os.path.join(book.home, name) for name in ("certificate.pem", "key.pem"))
        # The name of the subject is that of the server, but the certificate has other names.
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:other.example", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = socket.create_server(("127.0.0.1", 0))
        seen = []

        def serve():
            while True:
                try:
                    connection = server.accept()[0]
                except OSError:
                    return
                connection.settimeout(5)
                try:
                    with context.wrap_socket(connection, server_side=True) as secure:
                        seen.append(secure.recv(100))
                except OSError:
                    seen.append(b"")

        threading.Thread(target=serve, daemon=True).start()
        address = f"ldaps://localhost:{server.getsockname()[1]}/dc=example"
        trust = f"TLS_CACERT {certificate}\nTLS_REQCERT never\nTLS_REQSAN never\n"
        for place in (book.folder, book.home):
            open(os.path.join(place, "ldaprc"), "w").write(trust)
            result = book.run("query", "--book", address, "ann", LDAPTLS_REQSAN="never", LDAPTLS_REQCERT="never")
            os.unlink(os.path.join(place, "ldaprc"))
            if "libldap" in result.err:
                raise Wrong(result.err)
            check(result.returncode == 3 and "trusted" in result.err, f"{place}: {result.returncode} {result.err}")
        server.close()
        check(seen and not any(seen), f"the server got {seen}")


@case("107", "control characters in a copied value")
def _():
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\n%s\r\nEND:VCARD\r\n"
    values = {
        "TEL:139\\nrm -rf ~": "139 rm -rf ~", "EMAIL:a\x1b[201~b@example.com": "a[201~b@example.com",
        "URL:https://a.example/\x07\u009b\u202e1": "https://a.example/1"}
    for line, expected in values.items():
        with Book() as book, Terminals(book) as screens:
            file = os.path.join(book.home, "copied")
            settings = os.path.join(book.home, ".config/addressbook")
            os.makedirs(settings)
            copy = os.path.join(book.home, "copy")
            open(copy, "w").write(f"#!/bin/sh\ncat >'{file}.new' && mv '{file}.new' '{file}'\n")
            os.chmod(copy, 0o755)
            open(os.path.join(settings, "config.toml"), "w").write(f'copy = ["{copy}"]\n')
            book.done("import", "-", input=(card % line).encode())
            screens.open("one")
            screens.wait("one", "1 of 1")
            screens.keys("one", "y")
            screens.wait("one", "Copied")
            copied = open(file).read()
            check(copied == expected, f"{line!r} was copied as {copied!r}")


@case("108", "install.sh in a folder with links in the places of its files")
def _():
    with tempfile.TemporaryDirectory() as folder:
        tree, prefix, target = (os.path.join(folder, name) for name in ("tree", "prefix", "target"))
        files = {"bin/addressbook": "new", "share/addressbook/files": "bin/addressbook\nshare/addressbook/files\n"}
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            open(os.path.join(tree, name), "w").write(text)
        os.makedirs(os.path.join(prefix, "bin"))
        os.mkdir(os.path.join(folder, "elsewhere"))
        open(target, "w").write("precious")
        os.symlink(target, os.path.join(prefix, "bin/addressbook.new"))
        program = os.path.join(prefix, "bin/addressbook")
        for link in (target, os.path.join(folder, "elsewhere")):
            if os.path.lexists(program):
                os.unlink(program)
            os.symlink(link, program)
            shutil.rmtree(os.path.join(prefix, "share"), ignore_errors=True)
            result = subprocess.run(
                [os.path.join(SOURCES, "Scripts/install.sh"), prefix], env={**os.environ, "TREE": tree}, capture_output=True, text=True)
            check(result.returncode == 0, result.stderr)
            check(open(target).read() == "precious", "the target of a link was written to")
            check(not os.path.islink(program) and open(program).read() == "new", "the program is not installed")
            check(not os.listdir(os.path.join(folder, "elsewhere")), "a file was put into the folder of a link")
        check(sorted(os.listdir(os.path.join(prefix, "bin"))) == ["addressbook", "addressbook.new"], "temporary files are left")
