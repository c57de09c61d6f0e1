import Pinyin

extension Contact {
  /// The name to display: the full name, or else ``defaultName``.
  public var displayName: String { formattedName.isEmpty ? defaultName : formattedName }

  /// The name to display without a full name: the parts, or else organization, nickname, first email or first phone.
  ///
  /// For an organization, the organization comes first, because the parts name a person to contact there. Only empty if
  /// none of these contains text.
  public var defaultName: String {
    let candidates =
      kind == .organization
      ? [organization, composedName, nickname] : [composedName, organization, nickname]
    for candidate in candidates where !candidate.isEmpty { return candidate }
    return emails.first(where: { !$0.value.isEmpty })?.value ?? phones.first(where: { !$0.value.isEmpty })?.value ?? ""
  }

  /// The name made from the parts: family before given without a space in Han, given before family otherwise.
  public var composedName: String {
    let core: [String]
    if Self.areHan(family, given) {
      core = [family + middle + given]
    } else {
      core = [given, middle, family]
    }
    var name = ([prefix] + core).filter { !$0.isEmpty }.joined(separator: " ")
    if !suffix.isEmpty { name += name.isEmpty ? suffix : (suffix.first == "," ? suffix : " " + suffix) }
    return name
  }

  /// Sets the full name, unless the contact has that name without it.
  ///
  /// Cards and tables always have a full name (vCard FN). For a card that is shown as a company (X-ABShowAs), Apple
  /// displays the organization, so a full name made from the parts is that of a person to contact there, and is not
  /// set. Any other full name is the organization's own, as in programs that display FN (RFC 6350, 6.1.4 and 6.2.1).
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

  /// True if the texts together consist of Han characters only, like most Chinese names; the middle dot in 译名 counts as
  /// one.
  private static func areHan(_ family: String, _ given: String) -> Bool {
    // ASCII, the most common case, needs no table of characters.
    guard let first = family.utf8.first ?? given.utf8.first, first >= 0x80 else { return false }
    return [family, given].allSatisfy { text in
      text.unicodeScalars.allSatisfy { $0.properties.isIdeographic || $0.value == 0xB7 || $0.value == 0x30FB }
    }
  }
}

extension Contact {
  /// The pronunciation of the displayed name: `lǐ xiǎo lóng`, from the phonetic names if there are any, otherwise
  /// guessed. Empty if the name has no Han characters.
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
