/// What shows that a record without a UID is about a contact of the book.
public enum MatchKind: String, CaseIterable, Hashable, Sendable {
  /// A phone number of seven digits or more, with or without its country code.
  case phone
  /// An email address, regardless of case.
  case email
  /// The same name, and a phone number, an email address, the birthday or the organization.
  case name
}

/// An index that finds the contact that a record without a UID is about. It keeps eight bytes per key of a value,
/// however long the value is (a phone number may have several keys); a search takes the time of a few binary searches.
public struct MatchIndex {
  /// The result of a search.
  public enum Finding: Hashable, Sendable {
    /// No contact matches.
    case none
    /// This contact, and whether it has the same name.
    case contact(Int64, isNamed: Bool)
    /// More than one matches equally well, or too many share a value to be compared; the ids of at least two of them.
    case several([Int64])
  }

  /// If more contacts than this share values with a record, none is compared: a switchboard's number shows nothing.
  private static let maximumHolders = 64

  private var ids: [Int64] = []
  /// A hash of a value in the upper half, the index of the contact in the lower; sorted by ``seal()``.
  private var entries: [UInt64] = []

  /// Creates an empty index.
  public init() {}

  /// Adds a contact, which must have its id, kind, name, birthday, organization, phones and emails. Call ``seal()``
  /// after the last one.
  public mutating func add(_ contact: Contact) {
    let index = UInt64(UInt32(truncatingIfNeeded: ids.count))
    ids.append(contact.id)
    let keys = MatchKeys(contact)
    for key in Set(keys.alone(MatchKind.allCases) + keys.named(MatchKind.allCases)) {
      entries.append(UInt64(UInt32(truncatingIfNeeded: key)) << 32 | index)
    }
  }

  /// Prepares the index for searches.
  public mutating func seal() { entries.sort() }

  /// Searches for the contact that a record is about: one of the same kind, without a different birthday. If several
  /// share a number or an address with the record, the one with the same name is found.
  /// - Parameters:
  ///   - kinds: the kinds of evidence; any of them is enough.
  ///   - load: loads contacts with the same values as ``add(_:)`` needs.
  public func find(
    _ record: Contact, by kinds: Set<MatchKind>, load: ([Int64]) throws -> [Contact]
  ) rethrows -> Finding {
    let keys = MatchKeys(record)
    let named = try find(keys.named(kinds), isNamed: true, load) {
      $0.isNamed(like: keys) && $0.shares(kinds, with: keys)
    }
    if named != .none { return named }
    return try find(keys.alone(kinds), isNamed: false, load) {
      $0.mayBe(keys) && $0.sharesAlone(kinds, with: keys)
    }
  }

  private func find(
    _ keys: [Int], isNamed: Bool, _ load: ([Int64]) throws -> [Contact], where fits: (MatchKeys) -> Bool
  ) rethrows -> Finding {
    var found: Set<Int64> = []
    for key in keys { found.formUnion(holders(of: key)) }
    guard found.count <= Self.maximumHolders else { return .several(Array(found.sorted().prefix(2))) }
    guard !found.isEmpty else { return .none }
    let fitting = try load(found.sorted()).filter { fits(MatchKeys($0)) }.map(\.id)
    guard let first = fitting.first else { return .none }
    return fitting.count == 1 ? .contact(first, isNamed: isNamed) : .several(fitting)
  }

  /// Returns the contacts with a hash; at most one more than are compared.
  private func holders(of key: Int) -> [Int64] {
    let hash = UInt64(UInt32(truncatingIfNeeded: key))
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] >> 32 < hash { low = middle + 1 } else { high = middle }
    }
    return entries[low...].prefix(Self.maximumHolders + 1).prefix { $0 >> 32 == hash }.map {
      ids[Int(UInt32(truncatingIfNeeded: $0))]
    }
  }
}

/// The values by which a contact is matched.
private struct MatchKeys {
  private let traits: DuplicateTraits
  /// Numbers of fewer than seven digits, which only count together with a name.
  private let shortNumbers: Set<String>
  private let organization: String

  init(_ contact: Contact) {
    traits = DuplicateTraits(contact)
    shortNumbers = Set(
      contact.phones.lazy.map(\.value).filter { DialedNumber($0) == nil }.map(ContactField.Values.dialed)
    ).subtracting([""])
    organization = traits.organization
  }

  /// Hashes of the values that identify a contact even without a name.
  func alone(_ kinds: some Collection<MatchKind>) -> [Int] {
    var keys: [Int] = []
    if kinds.contains(.phone) {
      for phone in traits.phones { keys += phone.keys.map { Self.hash(.phone, $0) } }
    }
    if kinds.contains(.email) { keys += traits.emails.map { Self.hash(.email, $0) } }
    return keys
  }

  /// Hashes of the values that identify a contact together with an equal name, each combined with every key of the
  /// name.
  func named(_ kinds: some Collection<MatchKind>) -> [Int] {
    guard !traits.name.isEmpty else { return [] }
    var keys = alone(kinds)
    if kinds.contains(.name) {
      keys = alone([.phone, .email]) + shortNumbers.map { Self.hash(.phone, $0) }
      if let birthday = traits.birthday { keys.append(Self.hash(.birthday, birthday.iso)) }
      if !organization.isEmpty { keys.append(Self.hash(.organization, organization)) }
    }
    let names = traits.name.keys
    return keys.flatMap { key in names.map { Self.hash(.name, "\(key) \($0)") } }
  }

  func isNamed(like other: MatchKeys) -> Bool {
    let generations = Set([traits.name.generation, other.traits.name.generation].compactMap(\.self))
    return mayBe(other) && generations.count < 2 && NameRelation(traits.name, other.traits.name) == .same
  }

  func mayBe(_ other: MatchKeys) -> Bool {
    traits.kind == other.traits.kind && !traits.hasDifferentBirthday(from: other.traits)
  }

  func sharesAlone(_ kinds: Set<MatchKind>, with other: MatchKeys) -> Bool {
    kinds.contains(.email) && !traits.emails.isDisjoint(with: other.traits.emails)
      || kinds.contains(.phone)
        && traits.phones.contains { phone in other.traits.phones.contains(where: phone.isSame) }
  }

  /// Returns whether the two share a value that identifies them together with an equal name.
  func shares(_ kinds: Set<MatchKind>, with other: MatchKeys) -> Bool {
    guard kinds.contains(.name) else { return sharesAlone(kinds, with: other) }
    return sharesAlone([.phone, .email], with: other) || !shortNumbers.isDisjoint(with: other.shortNumbers)
      || traits.birthday != nil && traits.birthday == other.traits.birthday
      || !organization.isEmpty && organization == other.organization
  }

  private static func hash(_ reason: DuplicateReason, _ value: String) -> Int {
    var hasher = Hasher()
    hasher.combine(reason)
    hasher.combine(value)
    return hasher.finalize()
  }
}
