import Pinyin

extension Contact {
  /// The name to show: the formatted name, else the parts, else organization, nickname, first email or first phone.
  ///
  /// An organization is shown by the organization's name first. Empty only when none of these holds visible text.
  public var displayName: String {
    let ownName = formattedName.isEmpty ? composedName : formattedName
    let candidates =
      kind == .organization
      ? [organization, ownName, nickname] : [ownName, organization, nickname]
    for candidate in candidates where !candidate.isEmpty { return candidate }
    return emails.first(where: { !$0.value.isEmpty })?.value ?? phones.first(where: { !$0.value.isEmpty })?.value ?? ""
  }

  /// The name that the parts make: family before given and no space between them in Han, given before family elsewhere.
  public var composedName: String {
    let core: [String]
    if Self.isHan(family + given) {
      core = [family + middle + given]
    } else {
      core = [given, middle, family]
    }
    var name = ([prefix] + core).filter { !$0.isEmpty }.joined(separator: " ")
    if !suffix.isEmpty { name += name.isEmpty ? suffix : (suffix.first == "," ? suffix : " " + suffix) }
    return name
  }

  /// True when the text is made of Han characters alone, as most Chinese names are; the middle dot of 译名 counts as one.
  private static func isHan(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { $0.properties.isIdeographic || $0.value == 0xB7 || $0.value == 0x30FB }
  }
}

extension Contact {
  /// How the shown name is said: `lǐ xiǎo lóng`, by the phonetic names where there are any, else guessed. Empty when the
  /// name holds no Han character.
  public var transcription: String {
    Pinyin.transcription(
      of: displayName, isPerson: kind == .person,
      parts: [
        NamePart(family, phonetic: phoneticFamily), NamePart(middle, phonetic: phoneticMiddle),
        NamePart(given, phonetic: phoneticGiven),
      ])
  }

  /// What was written down of how the name is said, the family name first; empty when nothing was.
  public var phoneticName: String {
    ContactFields.standard.inFormOrder.compactMap { field -> String? in
      guard case .text(let text) = field, text.role == .phonetic, !self[text].isEmpty else { return nil }
      return self[text]
    }.joined(separator: " ")
  }
}
