struct DuplicateTraits {
  let id: Int64
  let kind: Contact.Kind
  let name: ComparedName
  let birthday: PartialDate?
  let emails: Set<String>
  let phones: Set<DialedNumber>
  let handles: Set<ValueKey>
  let links: Set<ValueKey>
  let addresses: Set<String>
  let organization: String

  init(_ contact: Contact) {
    id = contact.id
    kind = contact.kind
    name = ComparedName(contact)
    birthday = contact.birthday
    emails = Set(contact.emails.map { Self.email($0.value) }.filter { !$0.isEmpty })
    phones = Set(contact.phones.compactMap { DialedNumber($0.value) })
    var (handles, links): (Set<ValueKey>, Set<ValueKey>) = ([], [])
    for field in ContactFields.standard.values {
      let keys = contact[keyPath: field.property].lazy.filter { !$0.value.isEmpty }.map(field.key)
      if field.sameness == .handle { handles.formUnion(keys) }
      if field.sameness == .link { links.formUnion(keys) }
    }
    (self.handles, self.links) = (handles, links)
    addresses = Set(contact.addresses.compactMap(Self.address))
    organization = name.isOrganization ? "" : NameWords.words(of: contact.organization).joined(separator: " ")
  }

  /// Returns an email address as compared here: in lower case, without blanks.
  static func email(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    return isPlain ? text.lowercased() : text.lowercased().filter { !$0.isWhitespace }
  }

  /// Returns the street and city as compared here; nil if either is unknown.
  private static func address(_ address: PostalAddress) -> String? {
    let (street, city) = (SameText.folded(address.street), SameText.folded(address.city))
    return street.isEmpty || city.isEmpty ? nil : street + "\n" + city
  }

  /// Values that are evidence only together with the same name, each combined with every key of the name.
  var namedValues: Set<NamedValue> {
    guard !name.isEmpty else { return [] }
    var values: [(DuplicateReason, AnyHashable)] = []
    if let birthday, birthday.year != nil { values.append((.birthday, birthday)) }
    values += addresses.map { (.address, $0) }
    values += links.map { (.link, $0) }
    if !organization.isEmpty { values.append((.organization, organization)) }
    guard !values.isEmpty else { return [] }
    let names = name.keys
    return Set(values.flatMap { value in names.map { NamedValue(reason: value.0, value: value.1, name: $0) } })
  }

  /// A value and one of the keys of a name.
  struct NamedValue: Hashable {
    let reason: DuplicateReason
    let value: AnyHashable
    let name: String
  }

  /// Returns whether both birthdays are known and cannot be the same day.
  func hasDifferentBirthday(from other: DuplicateTraits) -> Bool {
    birthday?.isOther(than: other.birthday) == true
  }

  /// Returns whether both have phones, or both have emails, and they share none.
  func sharesNoAddress(with other: DuplicateTraits) -> Bool {
    let haveBoth = !phones.isEmpty && !other.phones.isEmpty || !emails.isEmpty && !other.emails.isEmpty
    return haveBoth && emails.isDisjoint(with: other.emails)
      && !phones.contains { phone in other.phones.contains(where: phone.isSame) }
  }
}

/// Evidence that two contacts are the same.
public enum DuplicateReason: String, CaseIterable, Comparable, Hashable, Sendable {
  case address, birthday, email, handle, link, name, organization, phone

  /// Compares by name.
  public static func < (one: DuplicateReason, other: DuplicateReason) -> Bool { one.rawValue < other.rawValue }
}

/// Two contacts that are probably the same.
public struct DuplicatePair: Hashable, Sendable {
  /// The lower id.
  public let first: Int64
  /// The higher id.
  public let second: Int64
  /// What they share, in alphabetical order; the name alone only if namesakes were asked for.
  public let reasons: [DuplicateReason]

  /// Creates a pair of contacts with different ids, the lower one first.
  public init(first: Int64, second: Int64, reasons: [DuplicateReason]) {
    (self.first, self.second, self.reasons) = (first, second, reasons)
  }

  /// Whether there is hardly any doubt: the same name and an email, phone number, account or birthday; or two of email,
  /// phone number and account.
  public var isCertain: Bool {
    let ways = reasons.count { [.email, .phone, .handle].contains($0) }
    return ways > 1 || reasons.contains(.name) && (ways > 0 || reasons.contains(.birthday))
  }
}

/// Contacts that are connected by pairs.
public struct DuplicateGroup: Hashable, Sendable {
  /// Their ids in order.
  public let ids: [Int64]
  /// The pairs that connect them, in order of id.
  public let pairs: [DuplicatePair]

  /// Creates a group; without pairs, one of contacts that the user chose.
  package init(ids: [Int64], pairs: [DuplicatePair] = []) {
    self.ids = ids
    self.pairs = pairs
  }

  /// Whether every two of them are a certain pair; otherwise the two ends of a chain may be different contacts.
  public var isCertain: Bool { pairs.count == ids.count * (ids.count - 1) / 2 && pairs.allSatisfy(\.isCertain) }

  /// Whether they have only their names in common.
  public var isOnlyNamesakes: Bool { !pairs.isEmpty && pairs.allSatisfy { $0.reasons == [.name] } }

  /// Returns the groups of pairs, in order of their first ids.
  public static func groups(of pairs: [DuplicatePair]) -> [DuplicateGroup] {
    var roots: [Int64: Int64] = [:]
    func root(_ id: Int64) -> Int64 {
      var id = id
      while let above = roots[id], above != id {
        roots[id] = roots[above] ?? above
        id = above
      }
      return id
    }
    for pair in pairs {
      let (one, other) = (root(pair.first), root(pair.second))
      roots[max(one, other)] = min(one, other)
    }
    return Dictionary(grouping: pairs) { root($0.first) }.sorted { $0.key < $1.key }.map { _, pairs in
      DuplicateGroup(
        ids: Set(pairs.flatMap { [$0.first, $0.second] }).sorted(),
        pairs: pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) })
    }
  }
}
