extension Readings {
  /// How many Unicode scalars of a Han name are the family name: those of a known compound one (欧阳, 长孙) if a given name
  /// follows it, else 1. 0 for a text that does not begin with a Han character.
  public static func familyNameLength(of name: String) -> Int {
    let scalars = name.unicodeScalars.map(\.value)
    guard let first = scalars.first, Visibility.isHan(first) else { return 0 }
    let longest = min(ReadingTable.longestPhraseLength, scalars.count - 1)
    guard longest >= 2, ReadingTable.entry(first).beginsPhrase else { return 1 }
    return scalars.withUnsafeBufferPointer {
      ReadingTable.longestPhrase(.surname, in: $0, at: 0, lengths: 2...longest)?.length ?? 1
    }
  }

  /// True for a character of the blocks of unified and compatibility ideographs.
  public static func isHan(_ scalar: Unicode.Scalar) -> Bool { Visibility.isHan(scalar.value) }
}
