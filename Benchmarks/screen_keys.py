"""How quickly the list follows the keys of a search, and how much processor time a held key needs."""

import os
import statistics
import time

from terminal_program import TerminalProgram

BACKSPACE = "\x7f"
# In milliseconds.
MEDIAN_BAR, WORST_BAR = 25, 60
HELD_RATE = 60
HELD_BAR = 0.5
SEARCHES = {
    "search key": ["l", "i", "x", BACKSPACE, BACKSPACE, "w", BACKSPACE, "i", BACKSPACE, BACKSPACE],
    "key of 有限公司": list("有限公司") + [BACKSPACE] * 4,
    "key of j s": list("j s") + [BACKSPACE] * 3,
}


class ScreenKeys:
    """The program in a window without room for the detail, which would be drawn 40 ms after the list, so that the time
    of the list alone is measured."""

    def __init__(self, command, environment, first_word):
        self.program = TerminalProgram(command, environment, columns=90)
        self.program.wait_for(first_word)
        self.program.settle(1)

    def searches(self, rounds):
        """For each search, the median and the worst time from a key to the last byte of its list, in milliseconds."""
        program = self.program
        program.press("/")
        # The first key loads the index.
        program.press("l", 1)
        program.press(BACKSPACE, 0.5)
        found = {}
        for name, keys in SEARCHES.items():
            times = [program.press(key, 0.15)[0] for _ in range(rounds) for key in keys]
            found[name] = statistics.median(times), max(times)
        program.press("\x1b", 0.5)
        return found

    def held(self, key, seconds=4):
        """Presses a key 60 times a second. Returns the share of a core that the program needs, and the milliseconds
        from the last press to the last byte."""
        program = self.program
        program.settle(0.5)
        cpu, started = program.cpu_time(), time.perf_counter()
        for turn in range(HELD_RATE * seconds):
            due = started + turn / HELD_RATE
            while (rest := due - time.perf_counter()) > 0:
                program.read(rest)
            os.write(program.terminal, key.encode())
        pressed = time.perf_counter()
        last = pressed
        while (now := program.read(0.3)) is not None:
            last = now
        share = (program.cpu_time() - cpu) / (pressed - started)
        return share, (last - pressed) * 1000

    def end(self):
        self.program.end()
