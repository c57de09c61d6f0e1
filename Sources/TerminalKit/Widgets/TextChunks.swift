import Synchronization

/// A long text in chunks. Typing takes the same time whatever its length: an edit replaces a few chunks, and only those
/// around the cursor are divided into clusters and lines.
///
/// A chunk usually ends after a newline. A paragraph that is too long for a chunk is split between clusters, if
/// possible between characters that never join others, and a line ends there. No chunk is empty, except that of an
/// empty text.
struct TextChunks: Hashable, Sendable {
  /// A position between two clusters, at the start of a chunk rather than at the end of the previous one.
  struct Position: Hashable, Comparable, Sendable {
    var chunk: Int
    /// The offset in the chunk, in clusters.
    var offset: Int

    static func < (one: Position, other: Position) -> Bool {
      (one.chunk, one.offset) < (other.chunk, other.offset)
    }
  }

  /// The chunks, at least one.
  private(set) var chunks: [String]
  /// The chunks joined on demand, once for each change.
  private var joined = JoinedText()

  /// Lengths in bytes. A chunk is at most `most` long, unless a cluster crosses this limit, and rarely shorter than
  /// `least`.
  private static let least = 4 << 10
  private static let most = 16 << 10

  init(_ text: String) { chunks = Self.divided(text) }

  static func == (one: TextChunks, other: TextChunks) -> Bool {
    one.joined === other.joined || one.text == other.text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  var text: String { joined.text(of: chunks) }

  var isEmpty: Bool { chunks[0].isEmpty }

  func characters(of chunk: Int) -> [Character] { Array(chunks[chunk]) }

  /// Returns true if the chunk ends with a newline, and not in the middle of a paragraph.
  func endsLine(_ chunk: Int) -> Bool { chunks[chunk].utf8.last == UInt8(ascii: "\n") }

  // MARK: Positions

  static let start = Position(chunk: 0, offset: 0)

  var end: Position { Position(chunk: chunks.count - 1, offset: chunks[chunks.count - 1].count) }

  func position(before position: Position) -> Position? {
    if position.offset > 0 { return Position(chunk: position.chunk, offset: position.offset - 1) }
    guard position.chunk > 0 else { return nil }
    return Position(chunk: position.chunk - 1, offset: chunks[position.chunk - 1].count - 1)
  }

  func position(after position: Position) -> Position? {
    position < end ? canonical(Position(chunk: position.chunk, offset: position.offset + 1)) : nil
  }

  /// Returns the same position in canonical form: the end of a chunk becomes the start of the next one.
  func canonical(_ position: Position) -> Position {
    let isLast = position.chunk == chunks.count - 1
    guard !isLast, position.offset >= chunks[position.chunk].count else { return position }
    return Position(chunk: position.chunk + 1, offset: 0)
  }

  /// Returns the position after that many clusters, or the end. Takes time in proportion to the text before it.
  func position(at index: Int) -> Position {
    var rest = max(0, index)
    for (number, chunk) in chunks.enumerated() {
      let count = chunk.count
      if rest < count { return Position(chunk: number, offset: rest) }
      rest -= count
    }
    return end
  }

  /// Returns the number of clusters before a position. Takes time in proportion to the text before it.
  func index(of position: Position) -> Int {
    chunks[..<position.chunk].reduce(position.offset) { $0 + $1.count }
  }

  func character(at position: Position) -> Character? {
    let chunk = chunks[position.chunk]
    guard let index = chunk.index(chunk.startIndex, offsetBy: position.offset, limitedBy: chunk.endIndex),
      index < chunk.endIndex
    else { return nil }
    return chunk[index]
  }

  func text(_ range: Range<Position>) -> String {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    if lower.chunk == upper.chunk {
      return String(chunks[lower.chunk].prefix(upper.offset).dropFirst(lower.offset))
    }
    var text = String(chunks[lower.chunk].dropFirst(lower.offset))
    for chunk in chunks[lower.chunk + 1..<upper.chunk] { text += chunk }
    return text + chunks[upper.chunk].prefix(upper.offset)
  }

  // MARK: Changing

  /// Replaces text, and returns the position after the cluster that contains the end of the new text.
  mutating func replace(_ range: Range<Position>, with text: String) -> Position {
    // Text typed next to a cluster may join it, so an adjacent chunk of the same paragraph is split again too.
    var first = range.lowerBound.chunk
    if first > 0, !endsLine(first - 1) { first -= 1 }
    var last = range.upperBound.chunk
    let endedLine = endsLine(last)
    if last < chunks.count - 1, !endedLine { last += 1 }
    var changed = chunks[first..<range.lowerBound.chunk].joined()
    changed += chunks[range.lowerBound.chunk].prefix(range.lowerBound.offset)
    changed += text
    let offset = changed.utf8.count
    changed += chunks[range.upperBound.chunk].dropFirst(range.upperBound.offset)
    for chunk in chunks[range.upperBound.chunk...last].dropFirst() { changed += chunk }
    // The next chunk is split again too if the newline before it was removed, or if what remains is short.
    var lostEnd = endedLine && changed.utf8.last != UInt8(ascii: "\n")
    while last < chunks.count - 1, lostEnd || changed.utf8.count < Self.least {
      last += 1
      changed += chunks[last]
      lostEnd = false
    }
    let pieces = Self.divided(changed)
    chunks.replaceSubrange(first...last, with: changed.isEmpty && chunks.count > last - first + 1 ? [] : pieces)
    joined = JoinedText()
    return position(atByte: offset, ofPiecesFrom: first)
  }

  /// Returns the first position between clusters that is at least that many bytes after the start of a chunk.
  private func position(atByte offset: Int, ofPiecesFrom first: Int) -> Position {
    var rest = offset
    for number in first..<chunks.count {
      let chunk = chunks[number]
      if rest < chunk.utf8.count {
        var offset = 0
        var bytes = 0
        for character in chunk {
          if bytes >= rest { break }
          bytes += character.utf8.count
          offset += 1
        }
        return canonical(Position(chunk: number, offset: offset))
      }
      rest -= chunk.utf8.count
    }
    return end
  }

  // MARK: Dividing

  private static func divided(_ text: String) -> [String] {
    guard text.utf8.count > most else { return [text] }
    var text = text
    text.makeContiguousUTF8()
    var chunks: [String] = []
    var rest = text[...]
    while rest.utf8.count > most {
      let index = cut(rest)
      chunks.append(String(rest[..<index]))
      rest = rest[index...]
    }
    if !rest.isEmpty { chunks.append(String(rest)) }
    return chunks
  }

  /// Returns where to split a text that is too long for one chunk.
  private static func cut(_ text: Substring) -> String.Index {
    let bytes = text.utf8
    let newline = UInt8(ascii: "\n")
    let least = bytes.index(bytes.startIndex, offsetBy: least)
    let most = bytes.index(bytes.startIndex, offsetBy: most)
    if let end = bytes[least..<most].firstIndex(of: newline) { return bytes.index(after: end) }
    // A long paragraph starts a new chunk, which may then hold all of it.
    if let end = bytes[..<least].lastIndex(of: newline) { return bytes.index(after: end) }
    // Split in half if that makes two chunks: otherwise the second could be tiny.
    let isLast = bytes.count < 2 * Self.most
    return cutInParagraph(text, before: isLast ? bytes.index(bytes.startIndex, offsetBy: bytes.count / 2) : most)
  }

  private static func cutInParagraph(_ text: Substring, before most: String.Index) -> String.Index {
    let scalars = text.unicodeScalars
    // Rounded down to a code point.
    var index = scalars[..<most].endIndex
    index = scalars.index(after: scalars.index(before: index))
    let least = text.utf8.index(text.startIndex, offsetBy: least)
    while index > least {
      let previous = scalars.index(before: index)
      if index < scalars.endIndex, TextWidth.plainColumns(of: scalars[previous]) != nil,
        TextWidth.plainColumns(of: scalars[index]) != nil
      {
        return index
      }
      index = previous
    }
    // Marks, emoji, letters that join: split between clusters, however long the first is.
    var end = text.startIndex
    while end < most { end = text.index(after: end) }
    return end
  }
}

/// The chunks joined into one string, at most once.
private final class JoinedText: Sendable {
  private let kept = Mutex<String?>(nil)

  func text(of chunks: [String]) -> String {
    if chunks.count == 1 { return chunks[0] }
    return kept.withLock { kept in
      if let kept { return kept }
      let text = chunks.joined()
      kept = text
      return text
    }
  }
}
