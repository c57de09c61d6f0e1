/// What shows that a record without a UID is about a contact of the book, besides the same name together with a phone
/// number, an email address or a postal address.
public enum MatchKind: String, CaseIterable, Hashable, Sendable {
  /// A phone number of seven digits or more, with or without its country code.
  case phone
  /// An email address, regardless of case.
  case email
  /// The same name, and the birthday or the organization.
  case name
}

/// An index that finds the contact that a record without a UID is about. It keeps eight bytes per key of a value,
/// however long the value is (a phone number may have several keys); a search takes the time of a few binary searches.
public struct MatchIndex {
  /// A contact that a record may be about.
  public struct Candidate: Hashable, Sendable {
    /// Its id.
    public let id: Int64
    /// What it has in common with the record, in alphabetical order; empty if too many share a value to be compared.
    public let reasons: [DuplicateReason]
    /// Whether it has the same name.
    public var isNamed: Bool { reasons.contains(.name) }
  }

  /// If more contacts than this share values with a record, none is compared: a switchboard's number shows nothing.
  private static let maximumHolders = 64

  private var ids: [Int64] = []
  /// A hash of a value in the upper half, the index of the contact in the lower; sorted by ``seal()``.
  private var entries: [UInt64] = []

  /// Creates an empty index.
  public init() {}

  /// Adds a contact, which must have its id, kind, name, birthday, organization, phones, emails and addresses; a second
  /// time as another state of it. Call ``seal()`` after the last one.
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
  ///   - kinds: further kinds of evidence; any of them is enough.
  ///   - load: loads the states of contacts with the same values as ``add(_:)`` needs.
  /// - Returns: nothing if no contact matches; at least two candidates if more than one matches equally well, or if too
  ///   many share a value to be compared.
  public func find(
    _ record: Contact, by kinds: Set<MatchKind>, load: ([Int64]) throws -> [Contact]
  ) rethrows -> [Candidate] {
    if entries.isEmpty { return [] }
    let keys = MatchKeys(record)
    let named = try find(keys.named(kinds), load) { $0.isNamed(like: keys) ? $0.shared(kinds, with: keys) : [] }
    if !named.isEmpty { return named }
    return try find(keys.alone(kinds), load) { $0.mayBe(keys) ? $0.sharedAlone(kinds, with: keys) : [] }
  }

  private func find(
    _ keys: [Int], _ load: ([Int64]) throws -> [Contact], reasons: (MatchKeys) -> [DuplicateReason]
  ) rethrows -> [Candidate] {
    var found: Set<Int64> = []
    for key in keys { found.formUnion(holders(of: key)) }
    guard found.count <= Self.maximumHolders else {
      return found.sorted().prefix(2).map { Candidate(id: $0, reasons: []) }
    }
    guard !found.isEmpty else { return [] }
    var candidates: [Candidate] = []
    for state in try load(found.sorted()) where !candidates.contains(where: { $0.id == state.id }) {
      let reasons = reasons(MatchKeys(state))
      if !reasons.isEmpty { candidates.append(Candidate(id: state.id, reasons: reasons)) }
    }
    return candidates
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
    var keys = alone([.phone, .email]) + shortNumbers.map { Self.hash(.phone, $0) }
    keys += traits.addresses.map { Self.hash(.address, $0) }
    if kinds.contains(.name) {
      if let birthday = traits.birthday { keys.append(Self.hash(.birthday, birthday.iso)) }
      if !organization.isEmpty { keys.append(Self.hash(.organization, organization)) }
    }
    let names = traits.name.keys
    return keys.flatMap { key in names.map { Self.hash(.name, "\(key) \($0)") } }
  }

  func isNamed(like other: MatchKeys) -> Bool {
    // A father and his son may have one number.
    mayBe(other) && traits.name.generation == other.traits.name.generation
      && NameRelation(traits.name, other.traits.name) == .same
  }

  func mayBe(_ other: MatchKeys) -> Bool {
    traits.kind == other.traits.kind && !traits.hasDifferentBirthday(from: other.traits)
  }

  /// Returns what the two share that identifies them even without a name.
  func sharedAlone(_ kinds: Set<MatchKind>, with other: MatchKeys) -> [DuplicateReason] {
    var reasons: [DuplicateReason] = []
    if kinds.contains(.email), !traits.emails.isDisjoint(with: other.traits.emails) { reasons.append(.email) }
    if kinds.contains(.phone),
      traits.phones.contains(where: { phone in other.traits.phones.contains(where: phone.isSame) })
    {
      reasons.append(.phone)
    }
    return reasons
  }

  /// Returns what the two share that identifies them together with an equal name, and the name; nothing if that is all.
  func shared(_ kinds: Set<MatchKind>, with other: MatchKeys) -> [DuplicateReason] {
    var reasons = sharedAlone([.phone, .email], with: other)
    if !reasons.contains(.phone), !shortNumbers.isDisjoint(with: other.shortNumbers) { reasons.append(.phone) }
    if !traits.addresses.isDisjoint(with: other.traits.addresses) { reasons.append(.address) }
    if kinds.contains(.name) {
      if traits.birthday != nil, traits.birthday == other.traits.birthday { reasons.append(.birthday) }
      if !organization.isEmpty, organization == other.organization { reasons.append(.organization) }
    }
    return reasons.isEmpty ? [] : (reasons + [.name]).sorted()
  }

  private static func hash(_ reason: DuplicateReason, _ value: String) -> Int {
    var hasher = Hasher()
    hasher.combine(reason)
    hasher.combine(value)
    return hasher.finalize()
  }
}
