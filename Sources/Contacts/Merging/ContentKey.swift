/// What stands for a person whose card has no UID: the name, the phone numbers and the email addresses.
///
/// The rule: names are equal when their visible text is, letters of either case and any run of blanks alike; phone numbers
/// when their digits are (and a leading `+`); email addresses when their text is in small letters. Order and labels do
/// not count, repetitions neither.
public struct ContentKey: Hashable, Sendable {
  private let name: String
  private let phones: Set<String>
  private let emails: Set<String>

  /// True when there is more than a name.
  public var isStrong: Bool { !phones.isEmpty || !emails.isEmpty }

  /// The key of a contact.
  public init(_ contact: Contact) {
    name = Self.folded(contact.displayName)
    phones = Set(contact.phones.map { Self.dialled($0.value) }.filter { !$0.isEmpty })
    emails = Set(contact.emails.map { Self.folded($0.value) }.filter { !$0.isEmpty })
  }

  /// Letters of either case and any run of blanks alike.
  public static func folded(_ text: String) -> String {
    text.lowercased().split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func dialled(_ number: String) -> String {
    let kept = number.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" || $0 == "*" || $0 == "#" }
    return kept.isEmpty ? folded(number) : String(String.UnicodeScalarView(kept))
  }
}
