#!/usr/bin/env python3
"""Makes Sources/TerminalKit/Canvas/WideTable.swift from EastAsianWidth.txt of Debian's unicode-data package.

    make-wide-table.py [/usr/share/unicode/EastAsianWidth.txt] > Sources/TerminalKit/Canvas/WideTable.swift

The table has the ranges W and F, whether assigned or not, and the few other signs that are wide for glibc's wcwidth,
joined where they touch."""
import re
import sys

path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/EastAsianWidth.txt"
lines = open(path, encoding="utf-8").read().splitlines()
version = re.search(r"EastAsianWidth-([\d.]+)\.txt", lines[0]).group(1)
# Circled numbers on black squares (ambiguous) and hexagrams (wide from Unicode 16 on): two columns in glibc, and so in tmux.
ranges = [[0x3248, 0x324F], [0x4DC0, 0x4DFF]]
for line in lines:
    match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*([WF])\b", line)
    if not match:
        continue
    first = int(match.group(1), 16)
    last = int(match.group(2) or match.group(1), 16)
    ranges.append([first, last])
ranges.sort()
joined = []
for first, last in ranges:
    if joined and joined[-1][1] + 1 == first:
        joined[-1][1] = last
    else:
        joined.append([first, last])
print(f"""// Made by Resources/unicode/make-wide-table.py from EastAsianWidth {version}; do not edit.

/// The code points that are Wide or Fullwidth (UAX #11, Unicode {version}), and a few more that glibc counts as wide.
enum WideTable {{
  /// First and last code point of each range in turn, ascending.
  static let bounds: [UInt32] = [""")
row = "   "
for first, last in joined:
    item = f" 0x{first:X}, 0x{last:X},"
    if len(row) + len(item) > 118:
        print(row)
        row = "   "
    row += item
print(row)
print("  ]\n}")
