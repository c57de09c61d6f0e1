#!/usr/bin/env python3
"""Checks what the documents and the workflows name: Scripts/check-documents.py [PROGRAM]
Links lead to files, the list of pages has every page, `make` is followed by a target, and a workflow can be read and has
its jobs and scripts. PROGRAM, a built addressbook, is asked whether it has the commands and options of the documents."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else None
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.M))
problems = []


def report(path, message):
    problems.append(f"{path.relative_to(ROOT)}: {message}")


def check_make(path, text):
    for target in re.findall(r"(?:^|&& |sudo |RUN )make ([a-z][a-z-]*)", text, re.M):
        if target not in TARGETS:
            report(path, f"the Makefile has no target {target}")


@functools.cache
def help_of(*command):
    """Returns the help of a command; None if the program has no such command."""
    result = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else None


def check_commands(path, code):
    for line in re.split(r"\n|(?=\baddressbook )", code):
        command = re.match(r"addressbook (?:--\S+ (?:'[^']*'|\S+) )*([a-z][a-z-]*)(?: ([a-z]+))?", line)
        if not command:
            continue
        name, word = command.groups()
        if help_of(name) is None:
            report(path, f"addressbook has no command {name}")
            continue
        for option in re.findall(r"(?<= )--[a-z][a-z-]*", re.split(r"  #| \| ", line)[0]):
            # The word may be a subcommand, or something to search for.
            if option not in help_of(name) and not (word and option in (help_of(name, word) or "")):
                report(path, f"addressbook {name} has no option {option}")


def slug(heading):
    """Returns the fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def links(text):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    return re.findall(r"\]\(([^)\s]+)\)", prose) + re.findall(r'(?:src|srcset|href)="([^"]+)"', prose)


def check_document(path):
    text = path.read_text()
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = urllib.parse.unquote(link).partition("#")
        target = path.parent / name if name else path
        if not target.exists():
            report(path, f"{link} does not exist")
        elif fragment and fragment not in map(slug, re.findall(r"^#+ (.*)", target.read_text(), re.M)):
            report(path, f"{link} is no heading")
    for code in re.findall(r"```.*?```|`[^`\n]+`", text, re.S):
        code = re.sub(r"^`+(?:\w+\n)?|`+$", "", code)
        check_make(path, code)
        if PROGRAM:
            check_commands(path, code)


def check_workflow(path):
    workflow = yaml.safe_load(path.read_text())
    jobs = workflow["jobs"]
    for name, job in jobs.items():
        needs = job.get("needs", [])
        for other in [needs] if isinstance(needs, str) else needs:
            if other not in jobs:
                report(path, f"{name} needs {other}, which does not exist")
        if "runs-on" not in job:
            report(path, f"{name} runs nowhere")
        for step in job["steps"]:
            if ("run" in step) == ("uses" in step):
                report(path, f"a step of {name} has neither or both of run and uses")
            command = step.get("run", "")
            check_make(path, command)
            for script in re.findall(r"^(?:\.ci|Scripts)/\S+", command, re.M):
                if not os.access(ROOT / script, os.X_OK):
                    report(path, f"{script} cannot be run")


pages = sorted((ROOT / "Documentation").glob("*.md"))
for document in pages + sorted(ROOT.glob("*.md")) + sorted((ROOT / "Examples").glob("**/README*.md")):
    if ".build" not in document.parts:
        check_document(document)
contents = ROOT / "Documentation/README.md"
for page in pages:
    if page != contents and page.name not in links(contents.read_text()):
        report(contents, f"{page.name} is missing")
check_make(ROOT / "Dockerfile", (ROOT / "Dockerfile").read_text())
for workflow in sorted((ROOT / ".github/workflows").glob("*.yml")):
    check_workflow(workflow)
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
