/// The rules for contacts, for any source: a form while the user types, a save, an import.
///
/// Few issues are errors, because real data must be importable. The others are warnings that a form shows and a save
/// ignores.
public enum ContactRules {
  /// Returns all errors and warnings of a contact.
  public static func issues(in contact: Contact) -> [ContactIssue] {
    var issues: [ContactIssue] = []
    if !identifies(contact) { issues.append(issue("", "nothingToShow")) }
    for field in ContactFields.standard.texts {
      check(contact[field], field.name, limit: field.limit, allowsLines: field.allowsLines, &issues)
    }
    for field in ContactFields.standard.values {
      for (index, item) in field.read(contact).enumerated() {
        let path = "\(field.name)[\(index)].value"
        check(item.value, path, &issues)
        if !item.value.isEmpty, let rule = broken(field.rule, by: item.value) {
          issues.append(issue(path, rule, .warning))
        }
      }
    }
    for field in ContactFields.standard.values {
      for (index, item) in field.read(contact).enumerated() {
        check(item.label, "\(field.name)[\(index)].label", limit: Limits.label, &issues)
      }
    }
    for (index, address) in contact.addresses.enumerated() {
      check(address.label, "addresses[\(index)].label", limit: Limits.label, &issues)
      for part in AddressPart.inCardOrder {
        check(address[part], "addresses[\(index)].\(part.rawValue)", allowsLines: true, &issues)
      }
    }
    for (index, group) in contact.groups.enumerated() {
      if group.isEmpty { issues.append(issue("groups[\(index)]", "missing")) }
      check(group, "groups[\(index)]", limit: Limits.name, &issues)
    }
    return issues
  }

  /// Returns the warnings about the values of a contact that an earlier version of it does not have.
  public static func warnings(in contact: Contact, since base: Contact) -> [ContactIssue] {
    var changed = contact
    for field in ContactFields.standard.texts where contact[field] == base[field] { changed[field] = "" }
    for field in ContactFields.standard.values {
      let known = field.read(base)
      changed[keyPath: field.property] = field.read(contact).map { known.contains($0) ? LabeledValue(value: "") : $0 }
    }
    changed.addresses = contact.addresses.map { base.addresses.contains($0) ? PostalAddress() : $0 }
    return issues(in: changed).filter { $0.severity == .warning }
  }

  /// Returns whether the contact has a visible name, or a phone number, email address, postal address, website,
  /// account, note or photo.
  public static func identifies(_ contact: Contact) -> Bool {
    hasVisible(contact.displayName) || !contact.note.isEmpty || contact.photo != nil
      || !contact.addresses.allSatisfy(\.isEmpty)
      || ![contact.phones, contact.emails, contact.urls, contact.handles].joined().allSatisfy(\.value.isEmpty)
  }

  /// Returns whether a text has the form `someone@somewhere`, without blanks (a small part of RFC 5322, 3.4.1, that
  /// typing mistakes violate).
  static func looksLikeEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
  }

  /// Returns the key of the message for the rule that a value violates; nil if it is valid.
  private static func broken(_ rule: ContactField.Values.Rule, by value: String) -> String? {
    switch rule {
    case .any: nil
    case .phone: value.unicodeScalars.contains(where: isDigit) ? nil : "phoneWithoutDigits"
    case .email: looksLikeEmail(value) ? nil : "emailShape"
    case .date: PartialDate(value) == nil ? "date" : nil
    }
  }

  private static func check(
    _ text: String, _ path: String, limit: Int = Limits.value, allowsLines: Bool = false,
    _ issues: inout [ContactIssue]
  ) {
    // Counting scalars is slow; for most texts the number of bytes is already far below the limit.
    if text.utf8.count > limit, text.unicodeScalars.count > limit {
      issues.append(issue(path, "tooLong", arguments: [String(limit)]))
    }
    let blanks: [UInt8] = allowsLines ? [0x09, 0x0A, 0x0D] : []
    if text.utf8.contains(where: { ($0 < 0x20 && !blanks.contains($0)) || $0 == 0x7F }) {
      issues.append(issue(path, "controlCharacter", .warning))
    }
    if text.utf8.contains(0) { issues.append(issue(path, "nul")) }
  }

  private static func hasVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        && scalar.properties.generalCategory != .control
    }
  }

  /// Returns whether a scalar is a digit of any script, or another numeric character such as ① or 三.
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }

  private static func issue(
    _ path: String, _ rule: String, _ severity: ContactIssue.Severity = .error, arguments: [String] = []
  ) -> ContactIssue {
    ContactIssue(entity: "Person", property: path, rule: rule, arguments: arguments, severity: severity)
  }
}

/// Maximum lengths in Unicode scalars. They keep mistakes, such as a file pasted into a name, out of the book; real
/// data is far below them.
public enum Limits {
  /// A name or another single line of text, a group.
  public static let name = 10_000
  /// A UID; some cards have UIDs of 5,000 characters.
  public static let uid = 10_000
  /// A label.
  public static let label = 1_000
  /// A value of a list, such as a phone number; a part of a postal address.
  public static let value = 100_000
  /// A note.
  public static let note = 10_000_000
  /// A photo, in bytes.
  public static let photo = 20_000_000
}

/// An error or warning about one property of an object, for the user who typed it.
public struct ContactIssue: Error, Hashable, Sendable {
  /// Whether an issue prevents saving.
  public enum Severity: Hashable, Sendable {
    /// The object can be saved, but the user should check the property.
    case warning
    /// The object cannot be saved.
    case error
  }

  /// Entity of the object.
  public let entity: String
  /// Key path of the property with indexes from 0, such as `family` or `phones[1].value`; empty for the whole object.
  public let property: String
  /// Key of the message: `ErrorString/<rule>`.
  public let rule: String
  /// Further arguments of the message, after the property's name.
  public let arguments: [String]
  /// Whether it prevents saving.
  public let severity: Severity

  /// Creates an issue of a property.
  public init(
    entity: String, property: String, rule: String, arguments: [String] = [], severity: Severity = .error
  ) {
    self.entity = entity
    self.property = property
    self.rule = rule
    self.arguments = arguments
    self.severity = severity
  }
}

extension Contact {
  /// The contact with the texts of its fields truncated to the ``Limits``; its UID and the lines of its card stay.
  public var shortened: Contact {
    var contact = self
    for field in ContactFields.standard.texts { contact[field].shorten(to: field.limit) }
    for field in ContactFields.standard.values {
      for index in contact[keyPath: field.property].indices {
        contact[keyPath: field.property][index].label.shorten(to: Limits.label)
        contact[keyPath: field.property][index].value.shorten(to: Limits.value)
      }
    }
    for index in contact.addresses.indices {
      contact.addresses[index].label.shorten(to: Limits.label)
      for part in AddressPart.allCases { contact.addresses[index][part].shorten(to: Limits.value) }
    }
    for index in contact.groups.indices { contact.groups[index].shorten(to: Limits.name) }
    return contact
  }

  /// A quick test that is false for nearly every contact. If it is false, no text of a field is long or contains NUL,
  /// and no group name is empty.
  public var mayBeInvalid: Bool {
    func isLong(_ text: String) -> Bool {
      if text.isEmpty { return false }
      if text.utf8.count > Limits.label { return true }
      return text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
    }
    for field in ContactFields.standard.texts where isLong(self[field]) { return true }
    for field in ContactFields.standard.values {
      for item in field.read(self) where isLong(item.label) || isLong(item.value) { return true }
    }
    for address in addresses {
      if isLong(address.label) { return true }
      for part in AddressPart.inCardOrder where isLong(address[part]) { return true }
    }
    return groups.contains { $0.isEmpty || isLong($0) }
  }
}

extension String {
  fileprivate mutating func shorten(to limit: Int) {
    guard utf8.count > limit, unicodeScalars.count > limit else { return }
    self = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
  }
}
