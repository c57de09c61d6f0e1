/// A comparison of contacts: what they share, and whether that is evidence that two of them are the same.
struct DuplicateComparison {
  private let all: [DuplicateTraits]
  private var emails: [String: ValueHolders] = [:]
  private var phones: [DialedNumber: ValueHolders] = [:]
  private(set) var candidates: Set<DuplicateCandidate> = []

  init(
    _ all: [DuplicateTraits], _ isCancelled: () -> Bool, _ onProgress: (Double) -> Void
  ) throws(CancellationError) {
    self.all = all
    var steps = 0
    func step() throws(CancellationError) {
      steps += 1
      guard steps.isMultiple(of: 1024) else { return }
      if isCancelled() { throw CancellationError() }
      onProgress(min(0.5, Double(steps) / Double(all.count * 8)))
    }
    for (email, indexes) in Self.shared(all, { $0.emails }) {
      try step()
      let holders = ValueHolders(indexes, all)
      emails[email] = holders
      if holders.nameCount <= 2 { propose(holders) }
    }
    for (number, indexes) in PhoneHolders(all).shared {
      try step()
      let holders = ValueHolders(indexes, all)
      phones[number] = holders
      if holders.nameCount <= 2 { propose(holders) }
    }
    for (_, indexes) in Self.shared(all, { $0.handles }) {
      try step()
      propose(ValueHolders(indexes, all))
    }
    for (_, indexes) in Self.shared(all, { $0.namedValues }) {
      try step()
      propose(ValueHolders(indexes, all))
    }
  }

  /// Returns the evidence that two contacts are the same; empty if there is none.
  func reasons(_ index: Int, _ otherIndex: Int) -> [DuplicateReason] {
    let (one, other) = (all[index], all[otherIndex])
    guard one.kind == other.kind else { return [] }
    let generations = [one.name.generation, other.name.generation].compactMap(\.self)
    if generations.count == 2, generations[0] != generations[1] { return [] }
    let relation = NameRelation(one.name, other.name)
    var reasons: Set<DuplicateReason> = []
    if sharesEmail(one, other, relation) { reasons.insert(.email) }
    if !one.hasDifferentBirthday(from: other) {
      if relation == .same, one.birthday?.year != nil, one.birthday == other.birthday { reasons.insert(.birthday) }
      if generations.count != 1 { reasons.formUnion(others(one, other, relation)) }
    }
    if !reasons.isEmpty, relation == .same { reasons.insert(.name) }
    return Array(reasons)
  }

  private func others(
    _ one: DuplicateTraits, _ other: DuplicateTraits, _ relation: NameRelation
  ) -> Set<DuplicateReason> {
    var reasons: Set<DuplicateReason> = []
    if sharesPhone(one, other, relation) { reasons.insert(.phone) }
    if relation != .weak, relation != .different, !one.handles.isDisjoint(with: other.handles) {
      reasons.insert(.handle)
    }
    guard relation == .same else { return reasons }
    if !one.addresses.isDisjoint(with: other.addresses) { reasons.insert(.address) }
    if one.sharesNoAddress(with: other) { return reasons }
    if !one.links.isDisjoint(with: other.links) { reasons.insert(.link) }
    if !one.organization.isEmpty, one.organization == other.organization { reasons.insert(.organization) }
    return reasons
  }

  private func sharesEmail(_ one: DuplicateTraits, _ other: DuplicateTraits, _ relation: NameRelation) -> Bool {
    one.emails.intersection(other.emails).contains { email in
      guard relation == .same || !RoleAddress.isOne(email) else { return false }
      return Self.mostNames(.email, relation) >= emails[email]?.nameCount ?? Int.max
    }
  }

  private func sharesPhone(_ one: DuplicateTraits, _ other: DuplicateTraits, _ relation: NameRelation) -> Bool {
    let most = Self.mostNames(.phone, relation)
    return one.phones.contains { phone in
      other.phones.contains { phone.isSame(as: $0) && nameCount(of: phone, $0) <= most }
    }
  }

  /// Returns the number of names with a phone number, in either of the forms in which two contacts have it.
  private func nameCount(of phone: DialedNumber, _ other: DialedNumber) -> Int {
    guard let one = phones[phone], let two = phones[other] else { return Int.max }
    let known = max(one.nameCount, two.nameCount)
    if phone == other || one.indexes == two.indexes || known > 2 { return known }
    return ValueHolders(Set(one.indexes + two.indexes).sorted(), all).nameCount
  }

  /// Returns the maximum number of names that may share a value for it to be evidence; -1 if it never is.
  private static func mostNames(_ reason: DuplicateReason, _ relation: NameRelation) -> Int {
    switch relation {
    case .same, .compatible: 2
    case .weak: reason == .email ? 2 : -1
    case .none: 1
    case .different: -1
    }
  }

  // MARK: Candidates

  private mutating func propose(_ holders: ValueHolders) {
    holders.forEachPair { candidates.insert(DuplicateCandidate(one: $0, other: $1)) }
  }

  private static func shared<Value: Hashable>(
    _ all: [DuplicateTraits], _ values: (DuplicateTraits) -> Set<Value>
  ) -> [Value: [Int]] {
    var holders: [Value: [Int]] = [:]
    for (index, traits) in all.enumerated() {
      for value in values(traits) { holders[value, default: []].append(index) }
    }
    return holders.filter { $0.value.count > 1 }
  }
}

/// The contacts that have a phone number, in any form.
private struct PhoneHolders {
  /// The numbers that more than one contact has, with or without their country codes.
  private(set) var shared: [DialedNumber: [Int]] = [:]

  init(_ all: [DuplicateTraits]) {
    var holders: [DialedNumber: [Int]] = [:]
    for (index, traits) in all.enumerated() {
      for phone in traits.phones { holders[phone, default: []].append(index) }
    }
    var byKey: [String: [DialedNumber]] = [:]
    for number in holders.keys {
      for key in number.keys { byKey[key, default: []].append(number) }
    }
    for (number, indexes) in holders {
      let alike = Set(number.keys.flatMap { byKey[$0] ?? [] }.filter { $0 != number && $0.isSame(as: number) })
      let together = alike.isEmpty ? indexes : Set(alike.flatMap { holders[$0] ?? [] } + indexes).sorted()
      if together.count > 1 { shared[number] = together }
    }
  }
}

/// Email addresses that belong to an office, not a person: `info@`, `sales@`.
private enum RoleAddress {
  static func isOne(_ email: String) -> Bool {
    email.lastIndex(of: "@").map { roles.contains(email[..<$0].lowercased()) } ?? false
  }

  private static let roles = Set(
    """
    abuse accounting accounts admin administration anfrage billing booking bookings buchhaltung buero career
    careers contact contacto contato customer-service customerservice do-not-reply donotreply empfang enquiries
    enquiry feedback finance hello help helpdesk hostmaster hr info information inquiries inquiry invoice invoices
    jobs kefu kontakt kundenservice kundtjanst mail mailer-daemon marketing media newsletter newsletters no-reply
    no_reply noreply office order orders postmaster press presse privacy rechnung reception recruiting recruitment
    reservations root sales security sekretariat service services shop soporte support team ventas verkauf
    vertrieb verwaltung webmaster xiaoshou zentrale zhaopin
    """.split { $0.isWhitespace }.map(String.init))
}
