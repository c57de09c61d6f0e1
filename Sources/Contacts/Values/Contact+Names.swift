import Pinyin

extension Contact {
  /// The name to display: the full name, or else ``defaultName``.
  public var displayName: String { formattedName.isEmpty ? defaultName : formattedName }

  /// The name to display without a full name: the parts, or else organization, nickname, first email or first phone.
  ///
  /// For an organization, the organization comes first, because the parts name a person to contact there. Only empty if
  /// none of these contains text.
  public var defaultName: String {
    if kind == .organization, !organization.isEmpty { return organization }
    if hasNamePart { return composedName }
    if !organization.isEmpty { return organization }
    if !nickname.isEmpty { return nickname }
    return emails.first(where: { !$0.value.isEmpty })?.value ?? phones.first(where: { !$0.value.isEmpty })?.value ?? ""
  }

  /// The name made from the parts: family before given without a space in Han, given before family otherwise.
  public var composedName: String {
    var name = prefix
    func add(_ part: String) {
      if part.isEmpty { return }
      if !name.isEmpty { name += " " }
      name += part
    }
    if Self.areHan(family, given) {
      add(family + middle + given)
    } else {
      add(given)
      add(middle)
      add(family)
    }
    if !suffix.isEmpty { name += name.isEmpty ? suffix : (suffix.first == "," ? suffix : " " + suffix) }
    return name
  }

  /// Whether ``composedName`` is not empty.
  public var hasNamePart: Bool {
    !(family.isEmpty && given.isEmpty && prefix.isEmpty && middle.isEmpty && suffix.isEmpty)
  }

  /// Sets the full name, or clears it if the contact has that name without it.
  ///
  /// Cards and tables always have a full name (vCard FN). For a card that is shown as a company (X-ABShowAs), Apple
  /// displays the organization, so a full name made from the parts is that of a person to contact there and clears the
  /// full name too. Any other full name is the organization's own, as in programs that display FN (RFC 6350, 6.1.4 and
  /// 6.2.1).
  public mutating func setFullName(_ name: String) {
    formattedName = name == defaultName || name == composedName ? "" : name
  }

  /// Drops the full name after an edit that left it unchanged, if it no longer applies: a person's full name if a part
  /// of the name changed, and an organization's if it was the text of the organization field, which changed.
  /// - Parameter base: the contact before the edit.
  public mutating func dropOutdatedFullName(since base: Contact) {
    guard formattedName == base.formattedName, !formattedName.isEmpty else { return }
    let isOutdated =
      kind == .organization
      ? formattedName == base.organization && organization != base.organization
      : ContactFields.standard.texts.contains { $0.role == .namePart && self[$0] != base[$0] }
    if isOutdated { formattedName = "" }
  }

  /// Returns whether the texts together consist of Han characters only, like most Chinese names; the middle dot in
  /// transcribed foreign names counts as one.
  private static func areHan(_ family: String, _ given: String) -> Bool {
    // ASCII, the most common case, needs no table of characters.
    guard let first = family.utf8.first ?? given.utf8.first, first >= 0x80 else { return false }
    return [family, given].allSatisfy { text in
      text.unicodeScalars.allSatisfy { scalar in
        switch scalar.value {
        // The characters of nearly all names, without a lookup.
        case 0x4E00...0x9FFC, 0xB7, 0x30FB: true
        case 0..<0x80: false
        default: scalar.properties.isIdeographic
        }
      }
    }
  }
}

extension Contact {
  /// The pronunciation of the displayed name: `lǐ xiǎo lóng`, from the phonetic names if there are any, otherwise
  /// guessed. Empty if no character of the name has a reading.
  public var transcription: String {
    Pinyin.transcription(
      of: displayName, isPerson: kind == .person,
      parts: [
        NamePart(family, phonetic: phoneticFamily), NamePart(middle, phonetic: phoneticMiddle),
        NamePart(given, phonetic: phoneticGiven),
      ])
  }

  /// The phonetic name as entered, the family name first; empty if there is none.
  public var phoneticName: String {
    ContactFields.standard.inFormOrder.compactMap { field -> String? in
      guard case .text(let text) = field, text.role == .phonetic, !self[text].isEmpty else { return nil }
      return self[text]
    }.joined(separator: " ")
  }
}
