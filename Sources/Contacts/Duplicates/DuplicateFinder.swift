/// A finder of contacts that are probably the same: they share an email address, phone number or account and have
/// compatible names, or they have the same name and share a birthday, address, website or organization.
///
/// Contacts that share no value are never compared, so the time grows with the number of contacts, not with its square.
public struct DuplicateFinder: Sendable {
  private var all: [DuplicateTraits] = []

  /// Creates a finder without contacts.
  public init() {}

  /// Adds a contact. Pairs refer to it by its id.
  public mutating func add(_ contact: Contact) { all.append(DuplicateTraits(contact)) }

  /// Adds the contacts of another finder, which another thread may have made.
  public mutating func add(_ other: DuplicateFinder) { all += other.all }

  /// Returns all pairs, in order of id.
  /// - Parameters:
  ///   - isCancelled: called often; true ends the work with `CancellationError`.
  ///   - onProgress: called from time to time with the completed fraction, 0 to 1.
  ///   - onFound: called from time to time with the pairs found since the last call, in no particular order; the last
  ///     pairs are only in the result.
  public func pairs(
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in },
    onFound: (ArraySlice<DuplicatePair>) -> Void = { _ in }
  ) throws(CancellationError) -> [DuplicatePair] {
    let comparison = try DuplicateComparison(all, isCancelled, onProgress)
    var pairs: [DuplicatePair] = []
    var reported = 0
    for (count, candidate) in comparison.candidates.enumerated() {
      if count.isMultiple(of: 1024) {
        if isCancelled() { throw CancellationError() }
        if reported < pairs.count { onFound(pairs[reported...]) }
        reported = pairs.count
        onProgress(0.5 + Double(count) / Double(comparison.candidates.count) / 2)
      }
      let reasons = comparison.reasons(candidate.one, candidate.other)
      guard !reasons.isEmpty else { continue }
      let ids = [all[candidate.one].id, all[candidate.other].id].sorted()
      pairs.append(DuplicatePair(first: ids[0], second: ids[1], reasons: reasons.sorted()))
    }
    return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

/// The indexes of two contacts that share a value.
struct DuplicateCandidate: Hashable {
  let one: Int
  let other: Int
}

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

/// The contacts that have a value: an email address, a phone number, an account.
///
/// A value's names are the groups of same or compatible names among all contacts that have it; those without a name do
/// not count. A value that many names have is a switchboard or a mailing list, and is no evidence.
struct ValueHolders {
  /// If a value has more different names than this, they are not compared: it is not the value of a single contact.
  static let mostNames = 64

  /// Indexes of the contacts, in order.
  let indexes: [Int]
  /// The contacts, grouped by equal names; the first of each group represents it.
  let classes: [[Int]]
  /// How many names the value has; `Int.max` for more than ``mostNames`` different ones.
  let nameCount: Int
  /// How classes of names compare; empty if there are too many.
  private let relations: [[NameRelation]]

  init(_ indexes: [Int], _ all: [DuplicateTraits]) {
    self.indexes = indexes
    var byIdentity: [String: Int] = [:]
    var classes: [[Int]] = []
    for index in indexes {
      let identity = all[index].name.identity
      if let known = byIdentity[identity] {
        classes[known].append(index)
      } else {
        byIdentity[identity] = classes.count
        classes.append([index])
      }
    }
    self.classes = classes
    guard classes.count <= Self.mostNames else {
      (nameCount, relations) = (Int.max, [])
      return
    }
    let names = classes.map { all[$0[0]].name }
    var roots = Array(names.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while roots[index] != index { index = roots[index] }
      return index
    }
    relations = names.indices.map { one in
      names.indices.map { other in other < one ? NameRelation(names[one], names[other]) : .different }
    }
    for one in names.indices {
      for other in 0..<one where relations[one][other] == .same || relations[one][other] == .compatible {
        roots[root(one)] = root(other)
      }
    }
    nameCount = names.indices.filter { !names[$0].isEmpty && roots[$0] == $0 }.count
  }

  /// Calls `body` with the pairs of contacts whose names may be the same. If very many share a name, each is paired
  /// with only a few others, which still makes them one group.
  func forEachPair(_ body: (Int, Int) -> Void) {
    for members in classes { Self.pair(members, members, body) }
    guard !relations.isEmpty else { return }
    for one in classes.indices {
      for other in 0..<one where relations[one][other] != .different { Self.pair(classes[one], classes[other], body) }
    }
  }

  private static func pair(_ one: [Int], _ other: [Int], _ body: (Int, Int) -> Void) {
    let isMany = one.count * other.count > 4096
    for (offset, index) in one.enumerated() {
      for partner in isMany ? other.dropFirst(offset % other.count).prefix(9) : other[...] where partner != index {
        body(min(index, partner), max(index, partner))
      }
    }
  }
}
