#!/usr/bin/env python3
"""Writes Sources/Pinyin/HanVariantTable.swift: traditional characters and their simplified forms.

Source: kSimplifiedVariant of Unihan (Debian package unicode-data), characters of the Basic Multilingual Plane. Run it from the
root of the project:  python3 Resources/pinyin/make-variants.py
"""
import bz2

pairs = []
with bz2.open("/usr/share/unicode/Unihan_Variants.txt.bz2", "rt") as lines:
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) < 3 or fields[1] != "kSimplifiedVariant":
            continue
        traditional = int(fields[0][2:], 16)
        simplified = [int(code[2:], 16) for code in fields[2].split() if int(code[2:], 16) != traditional]
        if simplified and traditional < 0x10000 and simplified[0] < 0x10000:
            pairs.append(chr(traditional) + chr(simplified[0]))
text = "".join(pairs)
rows = [text[i : i + 110] for i in range(0, len(text), 110)]
with open("Sources/Pinyin/HanVariantTable.swift", "w") as out:
    out.write("// Made by Resources/pinyin/make-variants.py from Unihan's kSimplifiedVariant: do not edit.\n")
    out.write("// %d pairs: a traditional character, then its simplified form.\n\n" % len(pairs))
    out.write('let hanVariantTable: StaticString = """\n')
    out.write("".join("  %s\\\n" % row for row in rows[:-1]) + "  %s\n" % rows[-1])
    out.write('  """\n')
