#!/usr/bin/env python3
"""Tests the program with crashes, full disks and other faults, and reports the results. `make faults` runs this.

  Scripts/faults/run.py [NUMBER…]     the cases of Documentation/Reliability.md that are not tests; without numbers, all of them

ADDRESSBOOK_PROGRAM names the program, POWERLOSS a power-failure simulator, SECONDS how long each random case runs, or
each command of 4-commands (10 by default), FLIPS how many bits are flipped, SEED the seed of its random numbers. With POINTS=1, power fails at every
disk operation of an edit or of the conversion of an old book, not at every fifth. The case of a million contacts needs
FAULTS_LARGE=1, and GEN_VCARDS, the path of a script that makes cards.
"""
import sys, time, traceback

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import accounts, damage, disk, durability, kills, processes, strangers, surroundings, syncing
from case import CASES, Skip, Wrong

selected = sys.argv[1:]
failed = 0
for number, title, function in sorted(CASES, key=lambda case: int(case[0].split("-")[0])):
    if selected and number not in selected:
        continue
    started = time.monotonic()
    try:
        seen = function() or ""
        word = "ok  "
    except Skip as reason:
        word, seen = "skip", str(reason)
    except Wrong as wrong:
        word, seen = "FAIL", str(wrong)
        failed += 1
    except Exception:
        word, seen = "FAIL", traceback.format_exc()
        failed += 1
    print(f"{word} {number:>5} {title}: {seen} ({time.monotonic() - started:.1f} s)", flush=True)
sys.exit(1 if failed else 0)
