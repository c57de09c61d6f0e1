/// Text as an array of clusters that always equals the clusters of the string: text typed next to a cluster may join
/// it, and removing text between two clusters may join them.
struct ClusterBuffer: Hashable, Sendable {
  private var characters: [Character]

  init(_ text: String) { characters = Array(text) }

  var count: Int { characters.count }
  var text: String { String(characters) }
  subscript(index: Int) -> Character { characters[index] }
  func text(_ range: Range<Int>) -> String { String(characters[range]) }

  /// Inserts text before that cluster and returns the index after the text.
  mutating func insert(_ text: String, at index: Int) -> Int {
    guard !text.isEmpty else { return index }
    return replace(index..<index, with: text)
  }

  /// Removes clusters and returns the index of the gap.
  mutating func remove(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return range.lowerBound }
    return replace(range, with: "")
  }

  /// Returns the start of the word before that index. A word, as in Emacs, consists of letters and digits; a run of
  /// ideographs counts as one.
  func wordStart(before index: Int) -> Int {
    var index = index
    while index > 0, !isWord(characters[index - 1]) { index -= 1 }
    while index > 0, isWord(characters[index - 1]) { index -= 1 }
    return index
  }

  func wordEnd(after index: Int) -> Int {
    var index = index
    while index < count, !isWord(characters[index]) { index += 1 }
    while index < count, isWord(characters[index]) { index += 1 }
    return index
  }

  private func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  private mutating func replace(_ range: Range<Int>, with text: String) -> Int {
    // Regional indicators, joiners and Indic letters may affect more than their neighbors: next to them, recompute all
    // clusters.
    let right = range.upperBound < count ? characters[range.upperBound] : nil
    let left = range.lowerBound > 0 ? characters[range.lowerBound - 1] : nil
    let affectsDistantClusters = [left, right].contains { $0.map(Self.affectsDistantClusters) ?? false }
    let start = affectsDistantClusters ? 0 : max(0, range.lowerBound - 1)
    let end = affectsDistantClusters ? count : min(count, range.upperBound + 1)
    var before = String(characters[start..<range.lowerBound])
    before += text
    let position = before.unicodeScalars.count
    before += String(characters[range.upperBound..<end])
    let joined = Array(before)
    characters.replaceSubrange(start..<end, with: joined)
    // The cursor goes after the cluster that contains the end of the new text, or of the text before the gap.
    var scalars = 0
    var index = 0
    while index < joined.count, scalars < position {
      scalars += joined[index].unicodeScalars.count
      index += 1
    }
    return start + index
  }

  private static func affectsDistantClusters(_ character: Character) -> Bool {
    guard let last = character.unicodeScalars.last, let first = character.unicodeScalars.first else { return false }
    return (0x1F1E6...0x1F1FF).contains(first.value) || last.value == 0x200D
      || last.value >= 0x900 && last.value < 0xE00
  }
}
