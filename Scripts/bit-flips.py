#!/usr/bin/env python3
"""Flips single bits of a book's file and checks how the program reacts.

For each flip, one bit of a copy is changed, and everything is listed and exported. The flip is harmless if all output
is unchanged, noticed if a command ends with status 3 and a message, and silent if some output differs and no command
reports it. No flip may be silent, and nothing may crash.

  Scripts/bit-flips.py --program .build/release/addressbook [--flips 300] [--seed 1] [--people 300] [--keep FOLDER]
"""

import argparse, os, random, shutil, subprocess, sys, tempfile

COMMANDS = [
    ["list", "--format", "json"],
    ["list", "--format", "tsv"],
    ["export", "--format", "json"],
    ["group"],
    ["undelete"],
    ["stats"],
]

# A photo of one pixel, so that photos are not most of the file.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
    "789c63606060000000040001f61738550000000049454e44ae426082"
)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--flips", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--keep", help="folder for the books of silent flips and crashes")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        os.makedirs(os.path.join(home, ".config", "addressbook"))
        with open(os.path.join(home, ".config", "addressbook", "config.toml"), "w") as file:
            file.write("backups = 0\n")
        environment = {"HOME": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

        def run(book, arguments):
            done = subprocess.run(
                [program, "--book", book] + arguments, env=environment, capture_output=True, timeout=60
            )
            return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

        good = os.path.join(folder, "good.db")
        fill(run, good, options.people, folder)
        expected = [run(good, arguments) for arguments in COMMANDS]
        for arguments, (status, _, errors) in zip(COMMANDS, expected):
            if status != 0:
                sys.exit(f"{arguments}: {status} {errors}")
        size = os.path.getsize(good)
        counts = {"harmless": 0, "noticed": 0, "silent": 0, "crashed": 0}
        for number in range(options.flips):
            place, bit = chance.randrange(size), chance.randrange(8)
            book = os.path.join(folder, "book.db")
            shutil.copy(good, book)
            with open(book, "r+b") as file:
                file.seek(place)
                byte = file.read(1)[0]
                file.seek(place)
                file.write(bytes([byte ^ 1 << bit]))
            kind, reason = "harmless", ""
            for arguments, before in zip(COMMANDS, expected):
                status, output, errors = run(book, arguments)
                if status < 0 or status >= 128:
                    kind, reason = "crashed", f"{arguments} {status} {errors[-300:]}"
                    break
                if status == 3 and errors:
                    kind, reason = "noticed", errors.strip()
                    break
                if (status, output) != before[:2] and kind == "harmless":
                    kind, reason = "silent", f"{arguments} differs"
            counts[kind] += 1
            if kind in ("silent", "crashed"):
                print(f"{number}: {kind} at {place} (page {place // 4096 + 1}, {place % 4096}) bit {bit}: {reason}")
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    shutil.copy(book, os.path.join(options.keep, f"{kind}-{place}-{bit}.db"))
            for name in os.listdir(folder):
                if name.startswith("book.db"):
                    os.unlink(os.path.join(folder, name))
        print(f"{options.flips} flips in {size} bytes, seed {options.seed}: " + ", ".join(f"{v} {k}" for k, v in counts.items()))
        sys.exit(0 if counts["silent"] == counts["crashed"] == 0 else 1)


def fill(run, book, people, folder):
    """Fills a book with contacts, groups, photos, deleted contacts and a long note."""
    picture = os.path.join(folder, "picture.png")
    with open(picture, "wb") as file:
        file.write(PICTURE)
    for arguments in [["demo", "--contacts", str(people)]]:
        status, _, errors = run(book, arguments)
        if status != 0:
            sys.exit(errors)
    ids = [str(number) for number in range(1, people, 7)]
    run(book, ["group", "add", "Friends"] + ids)
    run(book, ["group", "add", "Work"] + ids[::2])
    for number in ids[::4]:
        run(book, ["photo", "set", number, picture])
    run(book, ["delete"] + ids[1::5])
    run(book, ["edit", ids[0], "--set", "note=" + "A long note. " * 900])


if __name__ == "__main__":
    main()
