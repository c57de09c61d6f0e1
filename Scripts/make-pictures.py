#!/usr/bin/python3
"""Draws the screen of the program as SVG, light and dark: make-pictures.py PROGRAM FOLDER

The program draws the cells in a separate tmux server; rich (Debian's python3-rich) makes an SVG of them. The contacts
are samples, and the date is always the same (faketime), so that a picture changes only when the screen does.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROWS, COLUMNS = 24, 96
NOW = "2026-11-21 10:00:00"
SELECTED = "李小龙"
PEOPLE = [
    {"given": "Åsa", "family": "Lindström", "phones": [{"label": "mobile", "value": "+46 31 555 01"}]},
    {"organization": "重庆火锅", "kind": "organization", "phones": [{"label": "work", "value": "023-62345678"}]},
    {"given": "Jürgen", "family": "Müller", "phones": [{"label": "home", "value": "+49 89 5550 12"}]},
    {"family": "李", "given": "强", "phones": [{"label": "mobile", "value": "138 0000 1111"}]},
    {
        "family": "李", "given": "小龙", "title": "Actor", "organization": "Golden Harvest",
        "phones": [{"label": "mobile", "value": "139 2222 3333"}], "emails": [{"label": "home", "value": "lee@example.com"}],
        "birthday": "1940-11-27", "note": "Be water, my friend.", "groups": ["Friends", "Hong Kong"],
    },
    {"family": "林", "given": "青霞", "phones": [{"label": "mobile", "value": "+852 5555 0101"}]},
    {"family": "马", "given": "云", "phones": [{"label": "mobile", "value": "136 1111 0000"}]},
    {"given": "Ada", "family": "Okafor", "emails": [{"label": "work", "value": "ada@example.org"}]},
    {"given": "Иван", "family": "Петров", "phones": [{"label": "mobile", "value": "+7 495 555 0199"}]},
    {"family": "王", "given": "小明", "phones": [{"label": "mobile", "value": "137 5555 6666"}]},
    {"family": "曾", "given": "国藩", "phones": [{"label": "work", "value": "138 1234 5678"}]},
]
# The colors of a common terminal, for cells whose colors the program leaves to the terminal.
PALETTE = [(0, 0, 0), (205, 49, 49), (13, 140, 80), (160, 120, 0), (36, 114, 200), (160, 60, 160), (17, 140, 170), (200, 200, 200)]
THEMES = {
    "light": TerminalTheme((238, 238, 238), (36, 41, 47), PALETTE),
    "dark": TerminalTheme((38, 38, 38), (220, 223, 228), PALETTE),
}
# No font is downloaded: the viewer's own fonts are used.
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<!-- Made by `make pictures`. -->
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
.{unique_id}-title {{ font: bold 18px sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


class Screen:
    """The program in a separate tmux server."""

    def __init__(self, folder, command, environment):
        self.tmux = ["tmux", "-u", "-S", os.path.join(folder, "tmux"), "-f", "/dev/null"]
        self.environment = environment
        subprocess.run(
            self.tmux + ["new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS)] + command, env=environment, check=True)
        self.run("set", "-g", "status", "off")

    def run(self, *arguments):
        return subprocess.run(self.tmux + list(arguments), capture_output=True, text=True, check=True).stdout

    def cells(self):
        return self.run("capture-pane", "-p", "-e", "-N")

    def wait(self, pattern):
        """Waits until a line of the screen matches."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if re.search(pattern, self.run("capture-pane", "-p"), re.M):
                return True
            time.sleep(0.02)
        raise SystemExit(f"the screen does not show {pattern}:\n" + self.run("capture-pane", "-p"))

    def still(self):
        """Returns the cells when they no longer change."""
        before, cells = None, self.cells()
        while before != cells:
            time.sleep(0.3)
            before, cells = cells, self.cells()
        return cells

    def end(self):
        self.run("kill-server")


def picture(program, folder, theme):
    home = os.path.join(folder, theme)
    os.makedirs(os.path.join(home, ".config/addressbook"))
    with open(os.path.join(home, ".config/addressbook/config.toml"), "w") as settings:
        settings.write(f'theme = "{theme}"\npictures = "symbols"\nlinks = "off"\n')
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    for number, person in enumerate(PEOPLE):
        # The color beside a name depends on the UID.
        person = {"uid": f"urn:uuid:00000000-0000-4000-8000-{number:012}", **person}
        subprocess.run(
            [program, "add", "-"], env=environment, input=json.dumps(person), text=True, check=True, stdout=subprocess.DEVNULL)
    screen = Screen(
        home, ["env", "TERM=tmux-256color", "COLORTERM=truecolor", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", "@" + NOW, program], environment)
    try:
        screen.wait("重庆火锅")
        screen.run("send-keys", "/")
        screen.run("send-keys", "-l", "lixl")
        screen.wait("▸ " + SELECTED)
        # The end of a search keeps the selection.
        screen.run("send-keys", "Escape")
        screen.wait("· \\d+ of %d" % len(PEOPLE))
        screen.wait("Be water")
        return screen.still()
    finally:
        screen.end()


def svg(cells, theme):
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), legacy_windows=False)
    text = Text.from_ansi(cells.rstrip("\n"))
    # Rich positions each word and each wide character separately if each has its own style. Otherwise a font whose wide
    # characters are not twice as wide as the others would shift the rest of the line.
    for number, match in enumerate(re.finditer(r"[ \u00a0]+|[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[▀-▟]|[^ \u2580-\u259f\u2e80-\uff60]+", text.plain)):
        text.stylize(Style(meta={"place": number}), match.start(), match.end())
    console.print(text, no_wrap=True, crop=True, end="")
    return console.export_svg(title="addressbook", theme=THEMES[theme], code_format=FORMAT, unique_id="screen")


def main(program, target):
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for theme in THEMES:
            path = os.path.join(target, f"screen-{theme}.svg")
            with open(path, "w") as file:
                file.write(svg(picture(os.path.abspath(program), folder, theme), theme))
            print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
