#!/usr/bin/env python3
"""Writes Sources/Pinyin/HanVariantTable.swift: the shapes of one Han character, each with the shape that stands for all of them.

    apt-get install unicode-data
    python3 Resources/pinyin/make-variants.py            # writes the table
    python3 Resources/pinyin/make-variants.py --check    # says whether the committed table is what this would write

Sources: kSimplifiedVariant of Unihan (characters of the Basic Multilingual Plane), variants.txt (Japanese names), and the radicals
that Unicode has apart from their characters. The simplified form stands for the others.
"""
import bz2
import collections
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "Sources/Pinyin/HanVariantTable.swift"
UNICODE = Path("/usr/share/unicode")

pairs = []  # a character, and one that stands for it
with bz2.open(UNICODE / "Unihan_Variants.txt.bz2", "rt") as lines:
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) < 3 or fields[1] != "kSimplifiedVariant":
            continue
        traditional = int(fields[0][2:], 16)
        simplified = [int(code[2:], 16) for code in fields[2].split() if int(code[2:], 16) != traditional]
        if simplified and traditional < 0x10000 and simplified[0] < 0x10000:
            pairs.append((chr(traditional), chr(simplified[0])))
traditional_forms = collections.Counter(second for _, second in pairs)
for line in (ROOT / "Resources/pinyin/variants.txt").read_text(encoding="utf-8").split("\n"):
    if not line.startswith("#"):
        pairs += [(shape, shapes[0]) for shapes in line.split() for shape in shapes[1:]]
with open(UNICODE / "EquivalentUnifiedIdeograph.txt") as lines:
    for line in lines:
        if ";" in line and not line.startswith("#"):
            codes, character = line.split("#")[0].split(";")
            first, *last = (int(code, 16) for code in codes.strip().split(".."))
            for code in range(first, (last or [first])[0] + 1):
                if 0x2E80 <= code <= 0x2FD5:  # not the strokes
                    exact = unicodedata.normalize("NFKC", chr(code))
                    pairs.append((chr(code), exact if exact != chr(code) else chr(int(character, 16))))



def is_common(character):
    """Whether it is in China's basic set."""
    try:
        return len(character.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


groups = {}
for pair in pairs:
    joined = set().union(*(groups.get(shape, {shape}) for shape in pair))
    for shape in joined:
        groups[shape] = joined
forms = {}
for shape, group in groups.items():
    forms[shape] = max(group, key=lambda other: (is_common(other), traditional_forms[other], -ord(other)))
text = "".join(shape + form for shape, form in sorted(forms.items()) if shape != form)
rows = [text[i : i + 110] for i in range(0, len(text), 110)]
result = "// Made by Resources/pinyin/make-variants.py from Unihan's kSimplifiedVariant and variants.txt: do not edit.\n"
result += "// %d pairs: a character, then the shape that stands for it, the simplified one if there is one.\n\n" % (len(text) // 2)
result += 'let hanVariantTable: StaticString = """\n'
result += "".join("  %s\\\n" % row for row in rows[:-1]) + "  %s\n" % rows[-1] + '  """\n'
if sys.argv[1:] == ["--check"]:
    if OUTPUT.read_text(encoding="utf-8") != result:
        sys.exit("make-variants: the table is not what this script makes")
else:
    OUTPUT.write_text(result, encoding="utf-8")
