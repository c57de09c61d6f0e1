import SeededRandom
import Testing

@testable import Contacts

/// The name composed of its parts, compared with a plain implementation.
struct ComposedNameTests {
  private func plainName(_ contact: Contact) -> String {
    let letters = (contact.family + contact.given).unicodeScalars.map(\.value)
    let neutral: Set<UInt32> = [0x20, 0xA0, 0x3000, 0xB7, 0x30FB, 0x30FC, 0x30F5, 0x30F6]
    let (han, kana) = (letters.filter(isHan), letters.filter { (0x3041...0x309F).contains($0) })
    let hangul = letters.filter { (0xAC00...0xD7FF).contains($0) }
    let others = letters.filter { !isHan($0) && !kana.contains($0) && !hangul.contains($0) && !neutral.contains($0) }
    let isFamilyFirst = others.isEmpty && !(han.isEmpty && kana.isEmpty && hangul.isEmpty)
    let core =
      isFamilyFirst
      ? [contact.family + contact.middle + contact.given] : [contact.given, contact.middle, contact.family]
    var name = ([contact.prefix] + core).filter { !$0.isEmpty }.joined(separator: " ")
    let suffix = contact.suffix
    if !suffix.isEmpty { name += name.isEmpty || suffix.first == "," ? suffix : " " + suffix }
    return name
  }

  private func isHan(_ value: UInt32) -> Bool {
    [0x3005, 0x303B].contains(value) || (0x2E80...0x2FDF).contains(value)
      || Unicode.Scalar(value)?.properties.isIdeographic == true
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
}
