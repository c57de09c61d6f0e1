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

  /// The name made from the parts in the standard ``NameStyle``: `李小龙`, `山田たろう`, `김철수`, `John Smith`.
  public var composedName: String {
    var name = ""
    NameStyle().arrangement(in: NameScript(self)).forEachPart(of: self) { _, separator, text in
      name += separator
      name += text
    }
    return name
  }

  /// Whether the displayed name of a person consists of the parts of the name, in some order.
  var isFullNameComposed: Bool {
    guard kind == .person, hasNamePart else { return false }
    let shown = displayName
    return ComposedName.all(self).contains { $0.text == shown }
  }

  /// Whether ``composedName`` is not empty.
  public var hasNamePart: Bool {
    !(family.isEmpty && given.isEmpty && prefix.isEmpty && middle.isEmpty && suffix.isEmpty)
  }

  /// Sets the full name, or clears it if it equals ``defaultName`` or ``composedName``.
  ///
  /// Most files repeat the parts in a full name (vCard FN). An organization's card from Apple (X-ABShowAs) has the name
  /// of a person to contact in its parts, and again in FN; Apple displays the organization. Any other full name is the
  /// organization's own, as in programs that display FN (RFC 6350, 6.1.4 and 6.2.1).
  public mutating func setFullName(_ name: String) {
    formattedName = name == defaultName || name == composedName ? "" : name
  }

  /// Drops the full name after an edit that left it unchanged, if it no longer applies: a person's full name if a part
  /// of the name changed, and an organization's if it was the text of the organization field, which changed. Drops
  /// outdated phonetic names too (``dropOutdatedReading(since:)``).
  /// - Parameter base: the contact before the edit.
  public mutating func dropOutdatedFullName(since base: Contact) {
    dropOutdatedReading(since: base)
    guard formattedName == base.formattedName, !formattedName.isEmpty else { return }
    let isOutdated =
      kind == .organization
      ? formattedName == base.organization && organization != base.organization
      : ContactFields.standard.texts.contains { $0.role == .namePart && self[$0] != base[$0] }
    if isOutdated { formattedName = "" }
  }

  /// Drops the parts of the phonetic name that an edit left unchanged although it changed the part of the name that they
  /// are the pronunciation of.
  private mutating func dropOutdatedReading(since base: Contact) {
    let isOtherOrganization =
      kind == .organization && !base.organization.isEmpty && organization != base.organization
    func isOutdated(_ part: KeyPath<Contact, String>, _ phonetic: KeyPath<Contact, String>) -> Bool {
      let isOther = !base[keyPath: part].isEmpty && self[keyPath: part] != base[keyPath: part]
      return (isOther || isOtherOrganization) && self[keyPath: phonetic] == base[keyPath: phonetic]
    }
    if isOutdated(\.family, \.phoneticFamily) { phoneticFamily = "" }
    if isOutdated(\.given, \.phoneticGiven) { phoneticGiven = "" }
    if isOutdated(\.middle, \.phoneticMiddle) { phoneticMiddle = "" }
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
