import Synchronization

/// Readings of Han characters that the shipped table lacks, but that a newer ICU may have.
///
/// The transliterator takes 80 ms to open, so it is opened for the first such character, and only if the ICU at run
/// time is newer than the one that the table was made from: the same version would know nothing more. Its results are
/// cached.
final class MissingReadings: Sendable {
  /// A function that returns the pinyin of one character with tone marks, or nil. It is never called by two threads at
  /// once.
  typealias Source = @Sendable (Unicode.Scalar) -> String?

  static let shared = MissingReadings(open: {
    ICU.isNewer(than: ReadingTable.icuVersion) ? ICU.openTransliterator("Han-Latin") : nil
  })

  private struct State {
    var source: Source?
    var isOpen = false
    var known: [Unicode.Scalar: Syllable?] = [:]
  }

  private let open: @Sendable () -> Source?
  private let state = Mutex(State())

  init(open: @escaping @Sendable () -> Source?) { self.open = open }

  /// Returns the reading of an ideograph that the table lacks; nil if ICU has none. For anything but an ideograph, the
  /// transliterator is not opened.
  func reading(of scalar: Unicode.Scalar) -> Syllable? {
    guard ScalarClass.isHan(scalar.value) else { return nil }
    return state.withLock { state in
      if let known = state.known[scalar] { return known }
      if !state.isOpen {
        state.isOpen = true
        state.source = open()
      }
      guard let source = state.source else { return nil }
      let reading = source(scalar).flatMap { PinyinText.syllables(in: $0)?.first }
      // Bounded, because the blocks of ideographs have more than 100,000 code points that the table lacks.
      if state.known.count < 4096 { state.known[scalar] = .some(reading) }
      return reading
    }
  }
}
