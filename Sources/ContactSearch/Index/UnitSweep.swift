/// A comparison of the units of 64 adjacent rows in one walk over all of them, without branches that are hard to
/// predict. Where many rows have to be compared, this takes a third of the time of ``UnitScan/mayMatch(_:_:)`` for each
/// row.
struct UnitSweep: ~Copyable {
  private let contacts: PackedContactsView
  private let hints: UnsafeBufferPointer<UInt8>
  /// The hint of each unit of the rows, after ``margin`` zeros.
  private var found: UnsafeMutableRawPointer
  /// A bit for each unit: whether it matches the whole term and is not a shared field.
  private var whole: UnsafeMutableRawPointer
  /// A bit for each unit: whether it is a shared field that matches.
  private var shared: UnsafeMutableRawPointer
  /// A bit for each unit: whether it matches a later part of the term, and the unit before it matches the beginning.
  private var later: UnsafeMutableRawPointer
  private var room = 0

  /// Room around the units, so that eight of them can be read and written at a time.
  private static let margin = 16
  private static let lowestBits: UInt64 = 0x0101_0101_0101_0101

  /// - Parameter hints: the result of ``CompiledTerm/hints()``.
  init(_ contacts: PackedContactsView, _ hints: UnsafeBufferPointer<UInt8>) {
    self.contacts = contacts
    self.hints = hints
    (found, whole, shared, later) = UnitSweep.allocate(1024)
    room = 1024
  }

  deinit { deallocate() }

  private func deallocate() {
    found.deallocate()
    whole.deallocate()
    shared.deallocate()
    later.deallocate()
  }

  private static func allocate(
    _ room: Int
  ) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
    let found = UnsafeMutableRawPointer.allocate(byteCount: room + 2 * margin, alignment: 16)
    found.initializeMemory(as: UInt8.self, repeating: 0, count: margin)
    func bits() -> UnsafeMutableRawPointer { .allocate(byteCount: room / 8 + margin, alignment: 16) }
    return (found, bits(), bits(), bits())
  }

  /// Returns the rows of a word that have a unit of their own that matches the whole term, those with a shared field
  /// that matches, and a superset of the others for which ``UnitScan/mayMatch(_:_:)`` holds.
  mutating func rows(_ word: Int) -> (whole: UInt64, shared: UInt64, others: UInt64) {
    let first = word << 6
    let rowCount = min(64, contacts.rowCount - first)
    let range = PackedContactsView.range(contacts.tokenStarts, first, first + rowCount)
    if range.count > room {
      deallocate()
      room = range.count * 2
      (found, whole, shared, later) = UnitSweep.allocate(room)
    }
    readHints(contacts.tokens[range])
    let (hasShared, hasLater) = markUnits(range.count)
    var (wholeRows, sharedRows, laterRows): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var from = 0
    var row = 0
    while row < rowCount {
      let to = Int(contacts.tokenStarts[first &+ row &+ 1]) &- range.lowerBound
      let position = UInt64(truncatingIfNeeded: row)
      wholeRows |= UnitSweep.hasBit(whole, from, to) &<< position
      if hasShared { sharedRows |= UnitSweep.hasBit(shared, from, to) &<< position }
      if hasLater { laterRows |= UnitSweep.hasBit(later, from, to) &<< position }
      from = to
      row &+= 1
    }
    return (wholeRows, sharedRows, laterRows)
  }

  private func readHints(_ tokens: Slice<UnsafeBufferPointer<UInt16>>) {
    let tokens = UnsafeBufferPointer(rebasing: tokens)
    let found = (self.found + UnitSweep.margin).assumingMemoryBound(to: UInt8.self)
    var index = 0
    if hints.count <= Token.escape {
      while index < tokens.count {
        found[index] = hints[Int(tokens[index])]
        index &+= 1
      }
    } else {
      while index < tokens.count {
        let word = Int(tokens[index])
        if word < Token.escape {
          found[index] = hints[word]
          index &+= 1
          continue
        }
        let start = index
        let hint = hints[Token.read(tokens, &index)]
        // In `markUnits`, the next unit looks for the beginning of the term in the second word of this number.
        found[start] = hint & ~UnitScan.beginning
        found[start &+ 1] = hint & UnitScan.beginning
      }
    }
    UnsafeMutableRawPointer(found + tokens.count).storeBytes(of: 0, as: UInt64.self)
  }

  /// Writes the bits of the units, eight at a time; returns whether `shared` and `later` have any.
  private func markUnits(_ count: Int) -> (hasShared: Bool, hasLater: Bool) {
    let found = self.found + UnitSweep.margin
    var (anyShared, anyLater): (UInt64, UInt64) = (0, 0)
    var index = 0
    while index < count {
      let hints = found.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let before = found.loadUnaligned(fromByteOffset: index &- 1, as: UInt64.self)
      let ofShared = hints &>> 3 & UnitSweep.lowestBits
      let ofWhole = hints &>> 2 & ~ofShared & UnitSweep.lowestBits
      let ofLater = hints &>> 1 & before & UnitSweep.lowestBits
      whole.storeBytes(of: UnitSweep.gathered(ofWhole), toByteOffset: index &>> 3, as: UInt8.self)
      shared.storeBytes(of: UnitSweep.gathered(ofShared), toByteOffset: index &>> 3, as: UInt8.self)
      later.storeBytes(of: UnitSweep.gathered(ofLater), toByteOffset: index &>> 3, as: UInt8.self)
      anyShared |= ofShared
      anyLater |= ofLater
      index &+= 8
    }
    whole.storeBytes(of: 0, toByteOffset: (count + 7) / 8, as: UInt64.self)
    shared.storeBytes(of: 0, toByteOffset: (count + 7) / 8, as: UInt64.self)
    later.storeBytes(of: 0, toByteOffset: (count + 7) / 8, as: UInt64.self)
    return (anyShared != 0, anyLater != 0)
  }

  /// Returns the lowest bits of eight bytes in one byte, the first in the lowest bit.
  @inline(__always)
  private static func gathered(_ lanes: UInt64) -> UInt8 {
    // No two of the products share a bit.
    UInt8(truncatingIfNeeded: (lanes &* 0x0102_0408_1020_4080) &>> 56)
  }

  /// Returns 1 if a bit of a range is set, otherwise 0.
  @inline(__always)
  private static func hasBit(_ bits: UnsafeMutableRawPointer, _ from: Int, _ to: Int) -> UInt64 {
    var from = from
    while to &- from > 56 {
      if word(bits, from) & (1 << 56 - 1) != 0 { return 1 }
      from &+= 56
    }
    let some = word(bits, from) & (1 &<< UInt64(truncatingIfNeeded: to &- from) &- 1)
    return some != 0 ? 1 : 0
  }

  /// Returns at least 57 bits from a position on.
  @inline(__always)
  private static func word(_ bits: UnsafeMutableRawPointer, _ position: Int) -> UInt64 {
    bits.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self) &>> UInt64(truncatingIfNeeded: position & 7)
  }
}
