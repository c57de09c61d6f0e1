#!/usr/bin/env python3
"""Flips single bits of a book's file and checks how the program reacts.

For each flip, one bit of a copy is changed, and each command is run and judged alone. A flip is harmless to a command
if its output is unchanged (a list of rows: if it has the same contacts), noticed if the command ends with status 3 and a
message, and silent if its output differs without one. No flip may be silent for any command, and nothing may crash.

  Scripts/bit-flips.py --program .build/release/addressbook [--flips 300] [--seed 1] [--people 300] [--keep FOLDER]
"""

import argparse, concurrent.futures, os, random, shutil, subprocess, sys, tempfile

# Each has the whole book in its output, or a part that can be asked for alone.
COMMANDS = [
    ["list"],
    ["list", "--format", "tsv"],
    ["list", "--format", "json"],
    ["list", "--format", "jsonl"],
    ["list", "--columns", "id,name,phones,emails,addresses,groups,note"],
    ["list", "--sort", "changed", "--reverse"],
    ["list", "--where", "name != ''"],
    ["list", "--where", "ANY phones.value CONTAINS '1'"],
    ["list", "--where", "emails.@count > 0", "--format", "json"],
    ["list", "--where", "ANY groups.name == 'Friends'"],
    ["list", "a"],
    ["query", "a"],
    ["query", "a", "--format", "json"],
    ["query", "group:Friends"],
    ["export"],
    ["export", "--format", "json"],
    ["export", "--format", "csv"],
    ["export", "--format", "ldif"],
    ["export", "--format", "mutt"],
    ["group"],
    ["group", "list", "Friends"],
    ["undelete"],
    ["birthdays", "--days", "366"],
    ["duplicates"],
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
            if status not in (0, 1):
                sys.exit(f"{arguments}: {status} {errors}")
        size = os.path.getsize(good)
        places = [(chance.randrange(size), chance.randrange(8)) for _ in range(options.flips)]

        def judge(number):
            """Returns what each command makes of a flip, with a reason."""
            place, bit = places[number]
            own = os.path.join(folder, str(number))
            os.makedirs(own)
            book = os.path.join(own, "book.db")
            shutil.copy(good, book)
            with open(book, "r+b") as file:
                file.seek(place)
                byte = file.read(1)[0]
                file.seek(place)
                file.write(bytes([byte ^ 1 << bit]))
            kinds = []
            for arguments, before in zip(COMMANDS, expected):
                status, output, errors = run(book, arguments)
                if status < 0 or status >= 128:
                    kinds.append(("crashed", f"{status} {errors[-300:]}"))
                elif status == 3 and errors:
                    kinds.append(("noticed", errors.strip()))
                elif status == before[0] and comparable(arguments, output) == comparable(arguments, before[1]):
                    kinds.append(("harmless", ""))
                else:
                    kinds.append(("silent", f"status {status}, {len(output)} bytes instead of {len(before[1])}"))
            if options.keep and any(kind in ("silent", "crashed") for kind, _ in kinds):
                os.makedirs(options.keep, exist_ok=True)
                shutil.copy(book, os.path.join(options.keep, f"{place}-{bit}.db"))
            shutil.rmtree(own)
            return kinds

        names = ("harmless", "noticed", "silent", "crashed")
        counts = [dict.fromkeys(names, 0) for _ in COMMANDS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, kinds in enumerate(pool.map(judge, range(options.flips))):
                place, bit = places[number]
                for arguments, (kind, reason), count in zip(COMMANDS, kinds, counts):
                    count[kind] += 1
                    if kind in ("silent", "crashed"):
                        where = f"{place} (page {place // 4096 + 1}, {place % 4096}) bit {bit}"
                        print(f"{number}: {' '.join(arguments)}: {kind} at {where}: {reason}", flush=True)
        for arguments, count in zip(COMMANDS, counts):
            print(f"{' '.join(arguments)}: " + ", ".join(f"{count[name]} {name}" for name in names))
        total = {name: sum(count[name] for count in counts) for name in names}
        print(f"{options.flips} flips in {size} bytes, seed {options.seed}, {len(COMMANDS)} commands: "
              + ", ".join(f"{total[name]} {name}" for name in names))
        sys.exit(0 if total["silent"] == total["crashed"] == 0 else 1)


def comparable(arguments, output):
    """Rows of a list are not compared with checksums, and a damaged date changes their order; no contact may be missing.
    A search may find another contact, by its damaged text."""
    whole = {"json", "jsonl", "--columns"} & set(arguments)
    if arguments == ["list", "a"]:
        return b""
    if whole or arguments[0] not in ("list", "undelete") and arguments[:2] != ["group", "list"]:
        return output
    return sorted(line.split()[:1] for line in output.splitlines())


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
