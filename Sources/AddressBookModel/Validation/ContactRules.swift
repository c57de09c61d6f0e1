/// What a contact should be, whoever made it: the form while a person types, a save, an import.
///
/// Few rules are errors, because real data must be importable: most issues are warnings that a form shows and a save
/// passes over.
public enum ContactRules {
  /// Everything that is wrong or odd with a contact.
  public static func issues(in contact: Contact) -> [ValidationIssue] {
    var issues: [ValidationIssue] = []
    if !identifies(contact) { issues.append(issue("", "nothingToShow")) }
    for (column, property) in ContactLoader.textColumns {
      let isNote = column == "note"
      let name = propertyNames[column] ?? column
      check(
        contact[keyPath: property], name, limit: isNote ? Limits.note : Limits.name, allowsLines: isNote, &issues)
    }
    for (place, phone) in contact.phones.enumerated() {
      let path = "phones[\(place)].value"
      check(phone.value, path, &issues)
      if !phone.value.isEmpty, !phone.value.unicodeScalars.contains(where: isDigit) {
        issues.append(issue(path, "phoneWithoutDigits", .warning))
      }
    }
    for (place, email) in contact.emails.enumerated() {
      let path = "emails[\(place)].value"
      check(email.value, path, &issues)
      if !email.value.isEmpty, !looksLikeEmail(email.value) { issues.append(issue(path, "emailShape", .warning)) }
    }
    for (place, date) in contact.dates.enumerated() {
      let path = "dates[\(place)].value"
      check(date.value, path, &issues)
      if !date.value.isEmpty, PartialDate(date.value) == nil { issues.append(issue(path, "date", .warning)) }
    }
    for (name, list) in [("urls", contact.urls), ("handles", contact.handles), ("related", contact.related)] {
      for (place, value) in list.enumerated() { check(value.value, "\(name)[\(place)].value", &issues) }
    }
    let labelled = [
      ("phones", contact.phones), ("emails", contact.emails), ("urls", contact.urls), ("dates", contact.dates),
      ("handles", contact.handles), ("related", contact.related),
    ]
    for (name, list) in labelled {
      for (place, value) in list.enumerated() {
        check(value.label, "\(name)[\(place)].label", limit: Limits.label, &issues)
      }
    }
    for (place, address) in contact.addresses.enumerated() {
      for (name, property) in addressParts {
        check(address[keyPath: property], "addresses[\(place)].\(name)", allowsLines: true, &issues)
      }
    }
    for (place, group) in contact.groups.enumerated() {
      if group.isEmpty { issues.append(issue("groups[\(place)]", "missing")) }
      check(group, "groups[\(place)]", limit: Limits.name, &issues)
    }
    return issues
  }

  /// True when a list could show the contact by something that a person can see.
  public static func identifies(_ contact: Contact) -> Bool {
    hasVisible(contact.displayName) || !contact.phones.allSatisfy { $0.value.isEmpty }
      || !contact.emails.allSatisfy { $0.value.isEmpty } || !contact.note.isEmpty || contact.photo != nil
      || !contact.addresses.allSatisfy(\.isEmpty) || !contact.urls.isEmpty || !contact.handles.isEmpty
  }

  /// `someone@somewhere` without blanks (a small part of RFC 5322, 3.4.1, that typing errors break).
  static func looksLikeEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
  }

  private static let propertyNames = [
    "formatted_name": "formattedName", "phonetic_given": "phoneticGiven", "phonetic_middle": "phoneticMiddle",
    "phonetic_family": "phoneticFamily",
  ]

  private static let addressParts: [(String, KeyPath<PostalAddress, String> & Sendable)] = [
    ("label", \.label), ("poBox", \.poBox), ("extended", \.extended), ("street", \.street), ("city", \.city),
    ("region", \.region), ("postalCode", \.postalCode), ("country", \.country),
  ]

  private static func check(
    _ text: String, _ path: String, limit: Int = Limits.value, allowsLines: Bool = false,
    _ issues: inout [ValidationIssue]
  ) {
    // Counting scalars is slow; most texts are far below in bytes already.
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

  /// A digit of any script, also in the letters of a vanity number's keypad form.
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }

  private static func issue(
    _ path: String, _ rule: String, _ severity: ValidationIssue.Severity = .error, arguments: [String] = []
  ) -> ValidationIssue {
    ValidationIssue(entity: "Person", property: path, rule: rule, arguments: arguments, severity: severity)
  }
}
