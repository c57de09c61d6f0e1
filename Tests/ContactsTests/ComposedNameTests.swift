import SeededRandom
import Testing

@testable import Contacts

/// The name composed of its parts, compared with a plain implementation.
struct ComposedNameTests {
  private func plainName(_ contact: Contact) -> String {
    let letters = (contact.family + contact.given).unicodeScalars
    let isHan =
      letters.allSatisfy { $0.properties.isIdeographic || $0.value == 0xB7 || $0.value == 0x30FB }
      && letters.first.map { $0.value >= 0x80 } ?? false
    let core =
      isHan
      ? [contact.family + contact.middle + contact.given] : [contact.given, contact.middle, contact.family]
    var name = ([contact.prefix] + core).filter { !$0.isEmpty }.joined(separator: " ")
    let suffix = contact.suffix
    if !suffix.isEmpty { name += name.isEmpty || suffix.first == "," ? suffix : " " + suffix }
    return name
  }

  private func plainDefault(_ contact: Contact) -> String {
    let composed = plainName(contact)
    let names =
      contact.kind == .organization
      ? [contact.organization, composed, contact.nickname] : [composed, contact.organization, contact.nickname]
    let values = contact.emails.map(\.value) + contact.phones.map(\.value)
    return (names + values).first { !$0.isEmpty } ?? ""
  }

  @Test(arguments: [UInt64(1), 2, .random(in: 3...(.max))])
  func quickAndPlainWayAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "", "", "", "李", "小龙", "A", "Lee", "·", "々", "〇", "山", "たろう", "홍", ", PhD", "Jr.", "é", " ", "\u{9FFF}",
      "\u{20000}",
      "e\u{301}", "\u{301}", "-",
    ]
    func piece() -> String {
      (pieces.randomElement(using: &random) ?? "") + (pieces.randomElement(using: &random) ?? "")
    }
    for _ in 0..<5000 {
      var contact = Contact()
      contact.kind = Bool.random(using: &random) ? .person : .organization
      (contact.prefix, contact.given, contact.middle) = (piece(), piece(), piece())
      (contact.family, contact.suffix, contact.organization) = (piece(), piece(), piece())
      contact.nickname = piece()
      contact.emails = [LabeledValue(value: piece())]
      contact.phones = [LabeledValue(value: piece())]
      #expect(contact.composedName == plainName(contact), "seed \(seed)")
      #expect(contact.hasNamePart == !plainName(contact).isEmpty, "seed \(seed)")
      #expect(contact.defaultName == plainDefault(contact), "seed \(seed)")
    }
  }

  /// Whether a character is ideographic is only looked up outside of some ranges.
  @Test func quickAndPlainWayAgreeOnEveryCharacter() {
    var contact = Contact()
    contact.given = "龙"
    for scalar in (UInt32(1)...0x3_FFFF).lazy.compactMap(Unicode.Scalar.init) {
      contact.family = String(scalar)
      if contact.composedName != plainName(contact) { Issue.record("\(scalar.debugDescription)") }
    }
  }
}
