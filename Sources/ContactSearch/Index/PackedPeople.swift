/// The contacts of an index in a few flat arrays, about 80 bytes each. Rows are only ever added; a changed contact gets a
/// new row and its old one is dead until the arrays are packed again.
struct PackedPeople {
  private(set) var ids: [Int64] = []
  private(set) var signatures: [UInt64] = []
  private(set) var presences: [UInt16] = []
  private var tokenStarts: [UInt32] = [0]
  private var literalStarts: [UInt32] = [0]
  private var phoneStarts: [UInt32] = [0]
  private(set) var tokens: [UInt16] = []
  private(set) var literals: [UInt8] = []
  private(set) var phones: [UInt8] = []
  private(set) var dead = RowSet(count: 0)
  private(set) var deadCount = 0

  /// Rows below this are in ascending order of id.
  private var sortedCount = 0
  /// The rows of contacts after that.
  private var recentRows: [Int64: Int] = [:]

  /// Rows, dead ones included.
  var rowCount: Int { ids.count }
  /// Contacts.
  var count: Int { ids.count - deadCount }
  /// Whether rows are in ascending order of id.
  var isSorted: Bool { sortedCount == ids.count }

  private func tokenRange(_ row: Int) -> Range<Int> { Int(tokenStarts[row])..<Int(tokenStarts[row + 1]) }
  private func literalRange(_ row: Int) -> Range<Int> { Int(literalStarts[row])..<Int(literalStarts[row + 1]) }
  private func phoneRange(_ row: Int) -> Range<Int> { Int(phoneStarts[row])..<Int(phoneStarts[row + 1]) }

  /// The arrays without the checks and counts of arrays, for the inner loops.
  func withView<Result>(_ body: (PeopleView) -> Result) -> Result {
    ids.withUnsafeBufferPointer { ids in
      signatures.withUnsafeBufferPointer { signatures in
        presences.withUnsafeBufferPointer { presences in
          tokenStarts.withUnsafeBufferPointer { tokenStarts in
            literalStarts.withUnsafeBufferPointer { literalStarts in
              phoneStarts.withUnsafeBufferPointer { phoneStarts in
                tokens.withUnsafeBufferPointer { tokens in
                  literals.withUnsafeBufferPointer { literals in
                    phones.withUnsafeBufferPointer { phones in
                      body(
                        PeopleView(
                          ids: ids, signatures: signatures, presences: presences, tokenStarts: tokenStarts,
                          literalStarts: literalStarts, phoneStarts: phoneStarts, tokens: tokens, literals: literals,
                          phones: phones))
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// The row of a contact.
  func row(of id: Int64) -> Int? {
    if let row = recentRows[id] { return row }
    var low = 0
    var high = sortedCount
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < sortedCount && ids[low] == id && !dead.contains(low) ? low : nil
  }

  /// Adds a contact in place of its old row, if it has one.
  mutating func put(id: Int64, presence: Presence, _ encoder: DocumentEncoder) {
    remove(id)
    add(
      id: id, signature: encoder.signature, presence: presence.rawValue, tokens: encoder.tokens[...],
      literals: encoder.literals[...], phones: encoder.phones[...])
  }

  private mutating func add(
    id: Int64, signature: UInt64, presence: UInt16, tokens newTokens: ArraySlice<UInt16>,
    literals newLiterals: ArraySlice<UInt8>, phones newPhones: ArraySlice<UInt8>
  ) {
    if isSorted, id > ids.last ?? .min { sortedCount += 1 } else { recentRows[id] = ids.count }
    ids.append(id)
    signatures.append(signature)
    presences.append(presence)
    tokens.append(contentsOf: newTokens)
    tokenStarts.append(UInt32(tokens.count))
    literals.append(contentsOf: newLiterals)
    literalStarts.append(UInt32(literals.count))
    phones.append(contentsOf: newPhones)
    phoneStarts.append(UInt32(phones.count))
    dead.append(false)
  }

  /// Takes a contact out, if it is there.
  mutating func remove(_ id: Int64) {
    guard let row = row(of: id) else { return }
    recentRows[id] = nil
    dead.insert(row)
    deadCount += 1
  }

  /// Whether packing again is worth its time: a quarter of the rows are dead, or as many are out of order.
  var needsPacking: Bool { deadCount + (recentRows.count / 2) > 4096 + ids.count / 4 }

  /// The same contacts, without dead rows or spare room, in order of id.
  func packed() -> PackedPeople {
    var rows = (0..<rowCount).filter { !dead.contains($0) }
    if !isSorted { rows.sort { ids[$0] < ids[$1] } }
    var result = PackedPeople()
    result.reserve(rows.count, tokens: tokens.count, literals: literals.count, phones: phones.count)
    for row in rows {
      result.add(
        id: ids[row], signature: signatures[row], presence: presences[row], tokens: tokens[tokenRange(row)],
        literals: literals[literalRange(row)], phones: phones[phoneRange(row)])
    }
    return result
  }

  private mutating func reserve(_ rows: Int, tokens tokenCount: Int, literals literalCount: Int, phones phoneCount: Int)
  {
    ids.reserveCapacity(rows)
    signatures.reserveCapacity(rows)
    presences.reserveCapacity(rows)
    tokenStarts.reserveCapacity(rows + 1)
    literalStarts.reserveCapacity(rows + 1)
    phoneStarts.reserveCapacity(rows + 1)
    tokens.reserveCapacity(tokenCount)
    literals.reserveCapacity(literalCount)
    phones.reserveCapacity(phoneCount)
  }

  /// Bytes in use.
  var footprint: Int {
    (ids.capacity + signatures.capacity) * 8 + (presences.capacity + tokens.capacity) * 2
      + (tokenStarts.capacity + literalStarts.capacity + phoneStarts.capacity) * 4
      + literals.capacity + phones.capacity + dead.footprint + recentRows.capacity * 18
  }
}
