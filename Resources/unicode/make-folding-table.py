#!/usr/bin/env python3
"""Makes Sources/ObjectGraph/Predicates/Text/FoldingTable.swift from UnicodeData.txt and CompositionExclusions.txt of Debian's unicode-data package.

    make-folding-table.py [/usr/share/unicode] > Sources/ObjectGraph/Predicates/Text/FoldingTable.swift

Foundation's NFC composes some characters above U+FFFF wrongly, so the few compositions that do not involve nonspacing marks are a table too."""
import sys

folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
version = "15.0.0"
category, decomposition = {}, {}
for line in open(f"{folder}/UnicodeData.txt", encoding="utf-8"):
    fields = line.split(";")
    scalar = int(fields[0], 16)
    category[scalar] = fields[2]
    if fields[5] and "<" not in fields[5]:
        decomposition[scalar] = [int(word, 16) for word in fields[5].split()]
excluded = {
    int(line.split("#")[0], 16)
    for line in open(f"{folder}/CompositionExclusions.txt", encoding="utf-8") if line.split("#")[0].strip()}
pairs = [
    parts + [scalar] for scalar, parts in decomposition.items()
    if len(parts) == 2 and category[parts[1]] != "Mn" and scalar not in excluded]


def rows(items):
    text, row = "", "   "
    for item in items:
        word = "".join(f" 0x{scalar:X}," for scalar in item)
        if len(row) + len(word) > 118:
            text += row + "\n"
            row = "   "
        row += word
    return text + row


print(f"""// Made by Resources/unicode/make-folding-table.py from Unicode {version}; do not edit.

/// The compositions without nonspacing marks (Unicode {version}).
enum FoldingTable {{
  /// Groups of three: two scalars and the one that they compose.
  static let compositions: [UInt32] = [
{rows(sorted(pairs))}
  ]
}}""")
