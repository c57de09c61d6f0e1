/// The identity of a contact whose card has no UID: the name, the phone numbers and the email addresses.
///
/// Names and email addresses are equal if they differ only in case and in runs of blanks, phone numbers if they have
/// the same digits and `+ * #`. A full name that consists of the parts of the name is equal to them in any order. Other
/// order, labels and repetitions are ignored.
public struct ContentKey: Hashable, Sendable {
  private let name: String
  private let phones: Set<String>
  private let emails: Set<String>

  /// Whether it contains more than a name.
  public var isStrong: Bool { !phones.isEmpty || !emails.isEmpty }

  /// Creates the key of a contact.
  public init(_ contact: Contact) {
    let isComposed = !contact.formattedName.isEmpty && contact.isFullNameComposed
    name = Self.folded(isComposed ? contact.composedName : contact.displayName)
    phones = Set(contact.phones.map { Self.dialed($0.value) }.filter { !$0.isEmpty })
    emails = Set(contact.emails.map { Self.folded($0.value) }.filter { !$0.isEmpty })
  }

  /// Returns the text with case folded and runs of blanks collapsed.
  public static func folded(_ text: String) -> String {
    text.lowercased().split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func dialed(_ number: String) -> String {
    let kept = number.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" || $0 == "*" || $0 == "#" }
    return kept.isEmpty ? folded(number) : String(String.UnicodeScalarView(kept))
  }
}
