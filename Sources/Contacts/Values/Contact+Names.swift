import Pinyin

extension Contact {
  /// The name to display: the formatted name, or else the parts, or else organization, nickname, first email or first
  /// phone.
  ///
  /// For an organization, its own name comes first. Only empty if none of these contains visible text.
  public var displayName: String {
    let ownName = formattedName.isEmpty ? composedName : formattedName
    let candidates =
      kind == .organization
      ? [organization, ownName, nickname] : [ownName, organization, nickname]
    for candidate in candidates where !candidate.isEmpty { return candidate }
    return emails.first(where: { !$0.value.isEmpty })?.value ?? phones.first(where: { !$0.value.isEmpty })?.value ?? ""
  }

  /// The name made from the parts: family before given without a space in Han, given before family otherwise.
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

  /// True if the text consists of Han characters only, like most Chinese names; the middle dot in 译名 counts as one.
  private static func isHan(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { $0.properties.isIdeographic || $0.value == 0xB7 || $0.value == 0x30FB }
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
