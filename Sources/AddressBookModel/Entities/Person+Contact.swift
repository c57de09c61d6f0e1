import Contacts
import ObjectGraph

/// Converts a contact to a value, and applies a value with as few changes as possible.
extension Person {
  /// The contact as it is in the context, without the bytes of the photo.
  public var contact: Contact {
    get throws(StoreError) {
      var contact = Contact()
      contact.id = id
      contact.kind = kind
      contact.uid = uid
      contact.birthday = birthday
      contact.version = Int(version)
      contact.created = created
      contact.modified = modified
      for field in ContactFields.standard.texts { contact[field] = text(field.name) }
      for field in ContactFields.standard.values {
        contact[keyPath: field.property] = try members(field.name).map {
          LabeledValue(label: $0.text("label"), value: $0.text("value"))
        }
      }
      contact.addresses = try members("addresses").map { address in
        PostalAddress(label: address.text("label")) { address.text($0.rawValue) }
      }
      contact.cardLines = try cardLines()
      contact.groups = try groups().map(\.name).sorted()
      contact.photo = try photoSummary()
      return contact
    }
  }

  /// Makes the contact equal to the value. Only differences are changed: an edit of one phone number changes one row.
  /// If a text contains a NUL, nothing is changed, and saves are refused until a rollback. Deleted contacts are not
  /// changed.
  ///
  /// The id, version and times of the value are ignored, and so is the photo, which ``setPhoto(_:)`` changes. An empty
  /// UID keeps the present one. Groups that do not exist yet are created.
  public func apply(_ contact: Contact) throws(StoreError) {
    guard isLive else { return }
    let refused = ContactRules.issues(in: contact).filter { $0.severity == .error }
    if refused.contains(where: { $0.rule == "nul" }) { return try book.refuse(refused) }
    kind = contact.kind
    birthday = contact.birthday
    if !contact.uid.isEmpty { uid = contact.uid }
    for field in ContactFields.standard.texts { assign(.string(contact[field]), to: field.name) }
    for field in ContactFields.standard.values {
      let rows = contact[keyPath: field.property].map { ["label": $0.label, "value": $0.value] }
      try applyParts(rows, to: field.name, key: "value")
    }
    try applyParts(contact.addresses.map(Self.texts(of:)), to: "addresses", key: "street")
    try applyCard(contact.cardLines)
    try applyGroups(contact.groups)
  }

  // MARK: - Card

  private func cardLines() throws(StoreError) -> [String] {
    try book.reading { _ throws(ObjectGraphError) in
      try object("vcardLines").map { StoredLines.lines($0.text("lines")) } ?? []
    }
  }

  private func applyCard(_ lines: [String]) throws(StoreError) {
    guard try cardLines() != lines else { return }
    try book.reading { graph throws(ObjectGraphError) in
      if lines.isEmpty {
        if let present = try object("vcardLines") { try graph.delete(present) }
      } else {
        try graph.insert("vcardLines", of: self).set("lines", to: .string(StoredLines.text(lines)))
      }
    }
  }

  // MARK: - Parts

  /// Makes a list of parts equal to the rows: equal parts are kept, changed ones are updated in place, the rest
  /// is added or deleted.
  private func applyParts(_ rows: [[String: String]], to relationship: String, key: String) throws(StoreError) {
    let before = try members(relationship)
    if before.count == rows.count, zip(before, rows).allSatisfy({ Self.holds($0, $1) }) { return }
    var free = before
    func take(_ isMatch: (ManagedObject) -> Bool) -> ManagedObject? {
      free.firstIndex(where: isMatch).map { free.remove(at: $0) }
    }
    // Match the best partners first: equal rows, then equal values, then the rest in order.
    var partners: [ManagedObject?] = rows.map { row in take { Self.holds($0, row) } }
    for (index, row) in rows.enumerated() where partners[index] == nil {
      partners[index] = take { $0.text(key) == row[key] }
    }
    for index in rows.indices where partners[index] == nil { partners[index] = free.isEmpty ? nil : free.removeFirst() }
    let book = try book
    for part in free { try book.delete(part) }
    guard let destination = entity.relationship(named: relationship)?.destination.name else { return }
    try book.reading { graph throws(ObjectGraphError) in
      for (index, row) in rows.enumerated() {
        let part = if let known = partners[index] { known } else { try graph.insert(destination) }
        for (name, value) in row.sorted(by: { $0.key < $1.key }) { try part.set(name, to: .string(value)) }
        try add([part], to: relationship, at: index)
      }
    }
  }

  private func applyGroups(_ names: [String]) throws(StoreError) {
    let newNames = Set(names.filter { !$0.isEmpty })
    let before = try groups()
    let present = Set(before.map(\.name))
    let book = try book
    var joined: [Group] = []
    for name in newNames.subtracting(present).sorted() { joined.append(try book.group(named: name)) }
    let left = before.filter { !newNames.contains($0.name) }
    guard !joined.isEmpty || !left.isEmpty else { return }
    try book.reading { _ throws(ObjectGraphError) in
      try remove(left, from: "groups")
      try add(joined, to: "groups")
    }
  }

  private static func holds(_ part: ManagedObject, _ row: [String: String]) -> Bool {
    row.allSatisfy { part.text($0.key) == $0.value }
  }

  private static func texts(of address: PostalAddress) -> [String: String] {
    var texts = ["label": address.label]
    for part in AddressPart.allCases { texts[part.rawValue] = address[part] }
    return texts
  }
}
