import Synchronization

/// One spelling for all texts that a section's column holds equal (NOCASE, RTRIM): the one that was seen first. It is the
/// section's identity and title as long as the controller lives, whichever of its rows comes first.
final class SectionSpelling: Sendable {
  private let spellings = Mutex<[[UInt8]: SectionValue]>([:])

  /// The section of a text, for a column of a collation other than BINARY.
  func section(_ text: UnsafeBufferPointer<UInt8>, _ collation: FetchPlan.Collation) -> SectionValue {
    let key: [UInt8] =
      switch collation {
      case .binary: Array(text)
      case .noCase: text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      case .rightTrim: Array(text[..<((text.lastIndex { $0 != 0x20 } ?? -1) + 1)])
      }
    return spellings.withLock { spellings in
      if let known = spellings[key] { return known }
      let new = SectionValue.text(String(decoding: text, as: UTF8.self))
      spellings[key] = new
      return new
    }
  }
}
