#!/usr/bin/env python3
"""Gives the headings of a site's pages the ids that GitHub gives them, and checks the links: Scripts/link-site.py FOLDER
A link to a missing file, or to a missing id of a page, is an error."""
import html
import pathlib
import re
import sys
import urllib.parse

folder = pathlib.Path(sys.argv[1])


def with_ids(text):
    """Returns the page with an id for each heading; one that is there already gets a number."""
    used = set()

    def heading(match):
        level, content = match.groups()
        words = html.unescape(re.sub(r"<[^>]*>", "", content)).strip().lower()
        slug = name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while name in used:
            number += 1
            name = f"{slug}-{number}"
        used.add(name)
        return f'<h{level} id="{name}">{content}</h{level}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, text, flags=re.S)


for page in folder.glob("*.html"):
    page.write_text(with_ids(page.read_text()))
pages = {page: page.read_text() for page in sorted(folder.glob("*.html"))}
ids = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
problems = []
for page, text in pages.items():
    for link in sorted(set(re.findall(r'\b(?:href|src|srcset)="([^"]*)"', text))):
        name, _, fragment = urllib.parse.unquote(html.unescape(link)).partition("#")
        # The documentation of the libraries is made later.
        if re.match(r"[a-z]+:", name) or "/documentation/" in name:
            continue
        target = folder / name if name else page
        if not target.exists():
            problems.append(f"{page} has a link to {name}, which does not exist")
        elif fragment and fragment not in ids.get(target, ()):
            problems.append(f"{page} has a link to {link}, but that page has no such heading")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
