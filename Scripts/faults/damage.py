"""Truncated books, and flipped bits."""
import json, os, subprocess, sys

from case import PROGRAM, Book, Wrong, case, check


def contacts(book):
    """The contacts by UID, without what a repair may change."""
    return {c["uid"]: {k: v for k, v in c.items() if k not in ("modified", "version")} for c in book.listed()}


@case("100", "a truncated book is repaired, with and without a complete backup")
def _():
    seen = []
    for backup in (False, True):
        for arguments in ((), ("--from-backups",)) if backup else ((),):
            for part in (0.55, 0.67, 0.8, 0.9):
                with Book() as book:
                    config = os.path.join(book.home, ".config", "addressbook")
                    os.makedirs(config)
                    open(os.path.join(config, "config.toml"), "w").write("backups = 0\n")
                    book.done("demo", "--contacts", "300")
                    if backup:
                        os.mkdir(book.path + ".backups")
                        book.done("backup", os.path.join(book.path + ".backups", "book-2026-01-01.db"))
                    before = contacts(book)
                    os.truncate(book.path, int(os.path.getsize(book.path) * part))
                    result = book.run("doctor", "--repair", "--format", "json", *arguments)
                    report = json.loads(result.out)
                    named = {
                        contact["id"] for action in report["actions"]
                        if action["kind"] in ("salvagedInPart", "partsLost", "accepted", "photosAccepted", "restoredEarlier")
                        for contact in action["contacts"]}
                    after = contacts(book)
                    check(set(after) <= set(before) or named, "a contact has another UID")
                    silent = [uid for uid, c in after.items() if c["id"] not in named and c != before.get(uid)]
                    check(not silent, f"{part} {arguments}: {len(silent)} of {len(after)} differ and are not named")
                    if backup and arguments:
                        check(len(after) == len(before), f"{part}: {len(after)} of {len(before)}")
                    book.whole()
                    seen.append(f"{len(after)} ({len(named)} named)")
    return "of 300 contacts " + ", ".join(seen)


@case("101", "bits flip, and each command is judged alone")
def _():
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bit-flips.py")
    flips, seed = os.environ.get("FLIPS", "100"), os.environ.get("SEED", "1")
    result = subprocess.run(
        [sys.executable, script, "--program", PROGRAM, "--flips", flips, "--seed", seed], capture_output=True, text=True)
    if result.returncode != 0:
        raise Wrong(result.stdout + result.stderr)
    return result.stdout.splitlines()[-1]
