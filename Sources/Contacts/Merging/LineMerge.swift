/// A merge of texts of several lines, like that of diff3: the changes of both sides are kept if they are equal, or if
/// at least one unchanged line is between them.
enum LineMerge {
  /// Returns the merged text; nil if changes overlap or touch, or if the result would not be stable.
  static func merge(base: String, mine: String, theirs: String) -> String? {
    let states = [base, mine, theirs].map(SameText.content)
    guard let merged = join(states[0], states[1], states[2]) else { return nil }
    // If lines repeat, a change can be described in several ways. If merging again with the result would give another
    // text, the user decides.
    let isStable = join(states[0], states[1], merged) == merged && join(states[0], states[2], merged) == merged
    return isStable ? merged : nil
  }

  /// Lines of the base that a side replaced with lines of its own; one of the two may be empty.
  private struct Change: Equatable {
    let base: Range<Int>
    let lines: [Substring]
  }

  private static func join(_ base: String, _ mine: String, _ theirs: String) -> String? {
    let lines = split(base)
    var (my, their) = (changes(lines, split(mine))[...], changes(lines, split(theirs))[...])
    var merged: [Substring] = []
    var position = 0
    func apply(_ change: Change) {
      merged += lines[position..<change.base.lowerBound] + change.lines
      position = change.base.upperBound
    }
    while let mine = my.first, let theirs = their.first {
      if mine == theirs {
        apply(mine)
        my.removeFirst()
        their.removeFirst()
      } else if mine.base.upperBound < theirs.base.lowerBound {
        apply(my.removeFirst())
      } else if theirs.base.upperBound < mine.base.lowerBound {
        apply(their.removeFirst())
      } else {
        return nil
      }
    }
    for change in my + their { apply(change) }
    return (merged + lines[position...]).joined(separator: "\n")
  }

  private static func split(_ text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func changes(_ base: [Substring], _ side: [Substring]) -> [Change] {
    let start = zip(base, side).prefix { $0 == $1 }.count
    let end = zip(base[start...].reversed(), side[start...].reversed()).prefix { $0 == $1 }.count
    let (old, new) = (base[start..<base.count - end], side[start..<side.count - end])
    // The time for a longest common subsequence grows with the product of the lengths, so longer stretches count as
    // entirely changed.
    guard old.count + new.count <= 2_000 else {
      return [Change(base: start..<base.count - end, lines: Array(new))]
    }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in Array(new).difference(from: Array(old)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): inserted.insert(start + offset)
      }
    }
    var changes: [Change] = []
    var (position, other) = (start, start)
    while position < old.endIndex || other < new.endIndex {
      let (from, otherFrom) = (position, other)
      while removed.contains(position) { position += 1 }
      while inserted.contains(other) { other += 1 }
      if position > from || other > otherFrom {
        changes.append(Change(base: from..<position, lines: Array(new[otherFrom..<other])))
      } else {
        position += 1
        other += 1
      }
    }
    return changes
  }
}
