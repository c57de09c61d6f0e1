#!/usr/bin/env python3
"""Records which functions run in an everyday session, for the linker to put them next to each other.

record.py PROGRAM

Prints the symbols of these functions: those of the first screen, then those of moving, searching, opening the form,
saving and undoing. The kernel maps code in pieces of 64 KB, so functions that are scattered over the program cost
memory and page faults. A function that was renamed since is placed like any other; the order only matters for speed and
memory.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Benchmarks"))

from terminal_program import TerminalProgram

# Keys of one everyday session, one string for each wait.
SESSION = ["j", "j", "k", "\x06", "\x02", "'L", "/", "l", "i", "x", "\x7f", "\x7f", "w", "\x1b", "\x1b", "e", "x", "\x13", "u"]
# The program is about fifty times slower under callgrind.
SECONDS = 3


def functions(program, folder, keys):
    """The names of all functions that run from the start of the program to its end."""
    environment = dict(os.environ, HOME=folder, TERM="xterm-256color", LANG="C.UTF-8")
    counts = os.path.join(folder, "callgrind")
    valgrind = ["valgrind", "-q", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={counts}"]
    session = TerminalProgram([*valgrind, program, "--book", os.path.join(folder, "book.db")], environment)
    session.wait_for("500")
    session.settle(SECONDS)
    for key in keys:
        session.press(key, SECONDS)
    os.write(session.terminal, b"q")
    session.settle(SECONDS * 2)
    os.waitpid(session.pid, 0)
    with open(counts) as lines:
        names = (re.match(r"c?fn=\(\d+\) (\S+)", line) for line in lines)
        return {re.sub(r"'\d+$", "", name[1]) for name in names if name}


def main():
    with tempfile.TemporaryDirectory() as folder:
        # As it is installed, so that it finds its strings. Callgrind cannot read the debugging information of the Swift
        # compiler.
        program = os.path.join(folder, "bin", "addressbook")
        os.mkdir(os.path.dirname(program))
        os.makedirs(os.path.join(folder, "share", "addressbook"))
        os.symlink(os.path.abspath("Resources/strings"), os.path.join(folder, "share", "addressbook", "strings"))
        subprocess.run(["strip", "--strip-debug", "-o", program, sys.argv[1]], check=True)
        subprocess.run(
            [program, "--book", os.path.join(folder, "book.db"), "demo"],
            check=True, stdout=sys.stderr, env=dict(os.environ, HOME=folder))
        start = functions(program, folder, [])
        session = functions(program, folder, SESSION) - start
    # Only the functions of Swift and C++ are in sections of their own.
    for group in (start, session):
        for name in sorted(name for name in group if name.startswith(("$s", "_Z"))):
            print(name)


main()
