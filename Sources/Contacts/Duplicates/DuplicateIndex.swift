/// An index that tells which contacts of a large book need to be compared at all: those that share a value with another
/// contact; if the value alone is weak evidence, they must share a name too. It takes eight bytes per hash, however
/// long the value is. A phone number has a hash for each of its keys; a value that counts only with a name has one for
/// each key of the name.
public struct DuplicateIndex: Sendable {
  private var ids: [Int64] = []
  /// A hash of a value in the upper half, the index of the contact in the lower.
  private var entries: [UInt64] = []

  /// Creates an empty index.
  public init() {}

  /// Adds a contact, with its id, to the index.
  public mutating func add(_ contact: Contact) {
    let number = UInt64(ids.count)
    ids.append(contact.id)
    DuplicateTraits(contact).forEachKey { key in entries.append(UInt64(UInt32(truncatingIfNeeded: key)) << 32 | number)
    }
  }

  /// Adds the contacts of another index, which another thread may have made.
  public mutating func add(_ other: DuplicateIndex) {
    let first = UInt64(ids.count)
    ids += other.ids
    entries.reserveCapacity(entries.count + other.entries.count)
    for entry in other.entries { entries.append(entry + first) }
  }

  /// Returns the ids of the contacts that share something with another, and of a few that share only a hash, in the
  /// order in which they were added. The index is empty afterwards.
  public mutating func takeCandidates() -> [Int64] {
    entries.sort()
    var isShared = [Bool](repeating: false, count: ids.count)
    var start = 0
    while start < entries.count {
      let key = entries[start] >> 32
      var end = start + 1
      while end < entries.count, entries[end] >> 32 == key { end += 1 }
      if entries[start] != entries[end - 1] {
        for entry in entries[start..<end] { isShared[Int(UInt32(truncatingIfNeeded: entry))] = true }
      }
      start = end
    }
    defer { self = DuplicateIndex() }
    return ids.indices.filter { isShared[$0] }.map { ids[$0] }
  }
}

extension DuplicateTraits {
  /// Calls `body` with a hash, valid in this process, of everything that a contact may share with a duplicate.
  /// The values in ``namedValues`` are hashed without creating them.
  fileprivate func forEachKey(_ body: (Int) -> Void) {
    func hash(_ reason: DuplicateReason, _ value: some Hashable, _ other: Int = 0) -> Int {
      var hasher = Hasher()
      hasher.combine(reason)
      hasher.combine(value)
      hasher.combine(other)
      return hasher.finalize()
    }
    for email in emails { body(hash(.email, email)) }
    for phone in phones {
      for key in phone.keys { body(hash(.phone, key)) }
    }
    for handle in handles { body(hash(.handle, handle)) }
    guard !name.isEmpty else { return }
    var values: [Int] = []
    if let birthday, birthday.year != nil { values.append(hash(.birthday, birthday)) }
    for address in addresses { values.append(hash(.address, address)) }
    for link in links { values.append(hash(.link, link)) }
    if !organization.isEmpty { values.append(hash(.organization, organization)) }
    if values.isEmpty { return }
    for key in name.keys {
      let name = hash(.name, key)
      for value in values { body(hash(.name, name, value)) }
    }
  }
}
