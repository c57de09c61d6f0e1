/// The contacts of an index in a few flat arrays, about 90 bytes each. Rows are only ever appended; a changed contact
/// gets a new row, and its old one is dead until the arrays are packed again.
struct PackedContacts {
  private(set) var ids = FlatArray<Int64>()
  private var columns = SignatureColumns()
  private var presences = FlatArray<UInt16>()
  private var codeStarts = FlatArray<UInt32>(CollectionOfOne(0))
  private var literalStarts = FlatArray<UInt32>(CollectionOfOne(0))
  private var phoneStarts = FlatArray<UInt32>(CollectionOfOne(0))
  private var codes = FlatArray<UInt16>()
  private var literals = FlatArray<UInt8>()
  private var phones = FlatArray<UInt8>()
  private(set) var dead = RowSet(count: 0)
  private(set) var deadCount = 0

  /// Rows below this are in ascending order of id.
  private var sortedCount = 0
  /// The rows from `sortedCount` on that are not dead, keyed by id.
  private var recentRows: [Int64: Int] = [:]

  /// The number of rows, including dead ones.
  var rowCount: Int { ids.count }
  var count: Int { ids.count - deadCount }
  /// Whether rows are in ascending order of id.
  var isSorted: Bool { sortedCount == ids.count }

  /// Calls `body` with the arrays as plain memory, for the inner loops.
  func withView<Result>(_ body: (PackedContactsView) -> Result) -> Result {
    withExtendedLifetime(self) { body(view) }
  }

  private var view: PackedContactsView {
    PackedContactsView(
      ids: ids.view, columns: columns.view, presences: presences.view,
      codeStarts: codeStarts.view, literalStarts: literalStarts.view, phoneStarts: phoneStarts.view,
      codes: codes.view, literals: literals.view, phones: phones.view)
  }

  /// Returns the row of a contact; nil if the contact is not in the index.
  func row(of id: Int64) -> Int? {
    if let row = recentRows[id] { return row }
    return withExtendedLifetime(self) {
      let sorted = UnsafeBufferPointer(rebasing: ids.view[..<sortedCount])
      let row = sorted.firstIndex(notBelow: id)
      return row < sortedCount && sorted[row] == id && !dead.contains(row) ? row : nil
    }
  }

  /// Adds a contact, replacing its old row if it has one.
  mutating func put(id: Int64, presence: Presence, _ encoder: DocumentEncoder) {
    remove(id)
    encoder.codes.withUnsafeBufferPointer { codes in
      encoder.literals.withUnsafeBufferPointer { literals in
        encoder.phones.withUnsafeBufferPointer { phones in
          add(
            id: id, signature: encoder.signature, flags: encoder.flags, presence: presence.rawValue, codes: codes,
            literals: literals, phones: phones)
        }
      }
    }
  }

  private mutating func add(
    id: Int64, signature: UInt64, flags: ContactFlags, presence: UInt16,
    codes newCodes: UnsafeBufferPointer<UInt16>, literals newLiterals: UnsafeBufferPointer<UInt8>,
    phones newPhones: UnsafeBufferPointer<UInt8>
  ) {
    if isSorted, id > ids.last ?? .min { sortedCount += 1 } else { recentRows[id] = ids.count }
    ids.append(id)
    columns.append(signature, flags)
    presences.append(presence)
    codes.append(contentsOf: newCodes)
    codeStarts.append(UInt32(codes.count))
    literals.append(contentsOf: newLiterals)
    literalStarts.append(UInt32(literals.count))
    phones.append(contentsOf: newPhones)
    phoneStarts.append(UInt32(phones.count))
    dead.append(false)
  }

  mutating func remove(_ id: Int64) {
    guard let row = row(of: id) else { return }
    recentRows[id] = nil
    dead.insert(row)
    deadCount += 1
  }

  /// Whether repacking is worth its time: more than a quarter of the rows, and 4,096 more, are dead. A row out of order
  /// counts half.
  var needsPacking: Bool { deadCount + (recentRows.count / 2) > 4096 + ids.count / 4 }

  /// Returns the same contacts without dead rows, in order of id.
  func packed() -> PackedContacts {
    var rows = (0..<rowCount).filter { !dead.contains($0) }
    if !isSorted { rows.sort { ids[$0] < ids[$1] } }
    var result = PackedContacts()
    result.reserve(rows.count, codes: codes.count, literals: literals.count, phones: phones.count)
    withView { view in
      for row in rows {
        let (signature, flags) = view.columns.row(row)
        result.add(
          id: view.ids[row], signature: signature, flags: flags, presence: view.presences[row],
          codes: view.codes(row), literals: UnsafeBufferPointer(rebasing: view.literals[view.literalRange(row)]),
          phones: UnsafeBufferPointer(rebasing: view.phones[view.phoneRange(row)]))
      }
    }
    return result
  }

  private mutating func reserve(_ rows: Int, codes codeCount: Int, literals literalCount: Int, phones phoneCount: Int) {
    ids.reserveCapacity(rows)
    columns.reserveCapacity(rows)
    presences.reserveCapacity(rows)
    codeStarts.reserveCapacity(rows + 1)
    literalStarts.reserveCapacity(rows + 1)
    phoneStarts.reserveCapacity(rows + 1)
    codes.reserveCapacity(codeCount)
    literals.reserveCapacity(literalCount)
    phones.reserveCapacity(phoneCount)
  }

  mutating func shrink() {
    ids.shrink()
    columns.shrink()
    presences.shrink()
    codeStarts.shrink()
    literalStarts.shrink()
    phoneStarts.shrink()
    codes.shrink()
    literals.shrink()
    phones.shrink()
  }

  /// The number of bytes, including spare capacity.
  var footprint: Int {
    ids.footprint + columns.footprint + presences.footprint + codes.footprint
      + codeStarts.footprint
      + literalStarts.footprint + phoneStarts.footprint + literals.footprint + phones.footprint + dead.footprint
      + recentRows.capacity * 18
  }
}

extension PackedContacts {
  static let partCount = 9

  var parts: [UnsafeRawBufferPointer] {
    [
      UnsafeRawBufferPointer(ids.view), UnsafeRawBufferPointer(columns.stored),
      UnsafeRawBufferPointer(presences.view), UnsafeRawBufferPointer(codeStarts.view),
      UnsafeRawBufferPointer(literalStarts.view), UnsafeRawBufferPointer(phoneStarts.view),
      UnsafeRawBufferPointer(codes.view), UnsafeRawBufferPointer(literals.view), UnsafeRawBufferPointer(phones.view),
    ]
  }

  /// Whether ``parts`` are complete: no row is dead or out of order.
  var isPacked: Bool { deadCount == 0 && isSorted }

  /// Creates the contacts from ``parts``; nil if they are damaged: every index in them is checked.
  /// - Parameter entries: the number of entries in the corresponding lexicon.
  init?(parts: ArraySlice<IndexMemory>, entries: Int) {
    let parts = Array(parts)
    guard parts.count == PackedContacts.partCount,
      let ids = FlatArray<Int64>(parts[0]), let words = FlatArray<UInt64>(parts[1]),
      let presences = FlatArray<UInt16>(parts[2]), let codeStarts = FlatArray<UInt32>(parts[3]),
      let literalStarts = FlatArray<UInt32>(parts[4]), let phoneStarts = FlatArray<UInt32>(parts[5]),
      let codes = FlatArray<UInt16>(parts[6]), let literals = FlatArray<UInt8>(parts[7]),
      let phones = FlatArray<UInt8>(parts[8]),
      let columns = SignatureColumns(stored: words, rowCount: ids.count)
    else { return nil }
    self.ids = ids
    self.columns = columns
    self.presences = presences
    self.codeStarts = codeStarts
    self.literalStarts = literalStarts
    self.phoneStarts = phoneStarts
    self.codes = codes
    self.literals = literals
    self.phones = phones
    sortedCount = ids.count
    dead = RowSet(count: ids.count)
    guard withView({ $0.areValid(entries: entries) }) else { return nil }
  }
}

extension UnsafeBufferPointer<Int64> {
  /// Returns the position of the first id that is not below another; the ids ascend.
  package func firstIndex(notBelow id: Int64) -> Int {
    guard let first, let last, id > first else { return 0 }
    guard id <= last else { return count }
    // Without missing ids the position is the distance from the first one; each missing id lowers it at most by one.
    let distance = UInt64(bitPattern: id &- first)
    let missing = UInt64(bitPattern: last &- first) &- UInt64(count - 1)
    var high = Int(Swift.min(distance, UInt64(count - 1)))
    var low = distance > missing ? Swift.min(Int(distance - missing), high) : 0
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The arrays of ``PackedContacts`` as plain memory. Valid only inside `withView`.
struct PackedContactsView {
  let ids: UnsafeBufferPointer<Int64>
  let columns: SignatureColumns.View
  let presences: UnsafeBufferPointer<UInt16>
  let codeStarts: UnsafeBufferPointer<UInt32>
  let literalStarts: UnsafeBufferPointer<UInt32>
  let phoneStarts: UnsafeBufferPointer<UInt32>
  let codes: UnsafeBufferPointer<UInt16>
  let literals: UnsafeBufferPointer<UInt8>
  let phones: UnsafeBufferPointer<UInt8>

  var rowCount: Int { ids.count }

  @inline(__always)
  func codes(_ row: Int) -> UnsafeBufferPointer<UInt16> {
    UnsafeBufferPointer(rebasing: codes[PackedContactsView.range(codeStarts, row, row + 1)])
  }

  @inline(__always)
  func literalRange(_ row: Int) -> Range<Int> { PackedContactsView.range(literalStarts, row, row + 1) }

  @inline(__always)
  func phoneRange(_ row: Int) -> Range<Int> { PackedContactsView.range(phoneStarts, row, row + 1) }

  /// Returns the part of an array from the start of one row to the start of a later row.
  @inline(__always)
  static func range(_ starts: UnsafeBufferPointer<UInt32>, _ row: Int, _ end: Int) -> Range<Int> {
    Range(uncheckedBounds: (Int(starts[row]), Int(starts[end])))
  }

  /// Calls `body` with each part of a row of bytes; a part begins with a byte below a limit.
  @inline(__always)
  static func forEachPart(
    of bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, below limit: UInt8,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, bytes[end] >= limit { end += 1 }
      body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }
}

/// The check of stored rows before they are used.
extension PackedContactsView {
  /// Returns whether the rows ascend by id, their literals and phone numbers begin with a mark, and their codes only
  /// refer to entries of the lexicon.
  /// - Parameter entries: the number of entries in the lexicon.
  func areValid(entries: Int) -> Bool {
    guard presences.count == rowCount, covers(codeStarts, codes.count), covers(literalStarts, literals.count),
      covers(phoneStarts, phones.count)
    else { return false }
    for row in 0..<rowCount {
      if row > 0, ids[row - 1] >= ids[row] { return false }
      let (literal, phone) = (literalRange(row), phoneRange(row))
      if !literal.isEmpty, literals[literal.lowerBound] > LiteralPattern.urlMark { return false }
      if !phone.isEmpty, phones[phone.lowerBound] > PhoneNumber.dialedInternational { return false }
    }
    var highest: UInt16 = 0
    for code in codes { highest = max(highest, code) }
    if highest < TokenCode.escape { return highest < entries || codes.isEmpty }
    return (0..<rowCount).allSatisfy { TokenCode.areValid(codes($0), below: entries) }
  }

  /// Returns whether the starts of the rows ascend from 0 to the length of the array.
  private func covers(_ starts: UnsafeBufferPointer<UInt32>, _ length: Int) -> Bool {
    guard starts.count == rowCount + 1, starts[0] == 0, starts[rowCount] == length else { return false }
    var isAscending = true
    for row in 0..<rowCount { isAscending = isAscending && starts[row] <= starts[row + 1] }
    return isAscending
  }
}
