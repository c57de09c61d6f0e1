#!/usr/bin/env python3
"""Makes Sources/TerminalKit/Canvas/WideTable.swift from the files of Debian's unicode-data package.

    make-wide-table.py [/usr/share/unicode] > Sources/TerminalKit/Canvas/WideTable.swift

The first table has the ranges W and F, whether assigned or not, and the few other signs that are wide for glibc's
wcwidth; the second one the other ranges A without marks, private and invisible ones. Ranges are joined where they
touch."""
import re
import sys

folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
lines = open(folder + "/EastAsianWidth.txt", encoding="utf-8").read().splitlines()
categories = {}
for line in open(folder + "/UnicodeData.txt", encoding="utf-8"):
    fields = line.split(";")
    categories[int(fields[0], 16)] = fields[2]
version = re.search(r"EastAsianWidth-([\d.]+)\.txt", lines[0]).group(1)
# Circled numbers on black squares (ambiguous) and hexagrams (wide from Unicode 16 on): two columns in glibc, and so in tmux.
ranges = [[0x3248, 0x324F], [0x4DC0, 0x4DFF]]
ambiguous = []
for line in lines:
    match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*([WFA])\b", line)
    if not match:
        continue
    first = int(match.group(1), 16)
    last = int(match.group(2) or match.group(1), 16)
    if match.group(3) != "A":
        ranges.append([first, last])
        continue
    for value in range(first, last + 1):
        isVisible = categories.get(value, "Cn") not in ("Mn", "Me", "Cf", "Co", "Cn")
        if isVisible and not 0x3248 <= value <= 0x324F:
            ambiguous.append([value, value])


def print_bounds(ranges):
    joined = []
    for first, last in sorted(ranges):
        if joined and joined[-1][1] + 1 == first:
            joined[-1][1] = last
        else:
            joined.append([first, last])
    row = "   "
    for first, last in joined:
        item = f" 0x{first:X}, 0x{last:X},"
        if len(row) + len(item) > 118:
            print(row)
            row = "   "
        row += item
    print(row)
    print("  ]")


print(f"""// Made by Resources/unicode/make-wide-table.py from EastAsianWidth {version}; do not edit.

/// Widths of code points (UAX #11, Unicode {version}). The arrays have the first and the last code point of each range
/// in turn, ascending.
enum WideTable {{
  /// Those that are Wide or Fullwidth, and a few more that glibc counts as wide.
  static let bounds: [UInt32] = [""")
print_bounds(ranges)
print("""
  /// Those that are Ambiguous, without marks and those that are never shown.
  static let ambiguous: [UInt32] = [""")
print_bounds(ambiguous)
print("""
  /// Returns the number of the range that has the code point; nil if none has it.
  static func index(of value: UInt32, in bounds: [UInt32]) -> Int? {
    var low = 0
    var high = bounds.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value > bounds[2 * middle + 1] {
        low = middle + 1
      } else if value < bounds[2 * middle] {
        high = middle
      } else {
        return middle
      }
    }
    return nil
  }
}""")
