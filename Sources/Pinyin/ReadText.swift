/// The scalars of a sort text with the syllable code of each, in buffers on the stack.
struct ReadText {
  /// How many scalars of a name affect its order. Han characters fill a key of 120 bytes with fewer.
  static let limit = 96

  let scalars: UnsafeBufferPointer<UInt32>
  /// The syllable code of each scalar, 0 if it has no reading.
  let codes: UnsafeBufferPointer<UInt16>

  /// Reads the text and calls `body` with it. Leading blanks are left out.
  static func with<Result>(_ text: SortText, _ body: (ReadText) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: limit) { scalars in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: limit) { codes in
        var count = append(text.first, to: scalars, codes, at: 0)
        if let second = text.second, count + 1 < limit {
          scalars[count] = 0x20
          codes[count] = 0
          // Han names are joined without a space, Latin ones with one.
          let end = append(second, to: scalars, codes, at: count + 1)
          let isHan = count > 0 && codes[count - 1] != 0 && end > count + 1 && codes[count + 1] != 0
          count = isHan ? append(second, to: scalars, codes, at: count) : end
        }
        return body(
          ReadText(
            scalars: UnsafeBufferPointer(rebasing: scalars[0..<count]),
            codes: UnsafeBufferPointer(rebasing: codes[0..<count])))
      }
    }
  }

  private static func append(
    _ piece: SortText.Piece, to scalars: UnsafeMutableBufferPointer<UInt32>,
    _ codes: UnsafeMutableBufferPointer<UInt16>,
    at start: Int
  ) -> Int {
    var end = start
    for scalar in piece.text.unicodeScalars {
      if end == limit { break }
      if end == start, ScalarClass.isBlank(scalar.value) { continue }
      scalars[end] = scalar.value
      end += 1
    }
    let added = UnsafeBufferPointer(rebasing: scalars[start..<end])
    NameReader.read(added, role: piece.role, into: UnsafeMutableBufferPointer(rebasing: codes[start..<end]))
    for (offset, syllable) in piece.syllables.enumerated() where start + offset < end {
      codes[start + offset] = syllable.code
    }
    return end
  }

  /// The section of the first scalar: the first letter of its reading, or the letter it folds to.
  var section: Section {
    guard let scalar = scalars.first else { return .other }
    if let syllable = Syllable(code: codes[0]), let letter = syllable.letters.first { return Section(letter: letter) }
    return Unicode.Scalar(scalar).flatMap(LatinFolding.fold)?.first.map(Section.init(letter:)) ?? .other
  }
}
