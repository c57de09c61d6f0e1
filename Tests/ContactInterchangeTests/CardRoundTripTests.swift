import Contacts
import Foundation
import SharedMaterial
import Testing
import VCard

@testable import ContactInterchange

/// Import, then export: nothing is lost.
@Suite struct CardRoundTripTests {
  @Test func everyLineComesBack() throws { try checkLines(CardFixtures.cards()) }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed))
  func everyLineOfTheCorpusComesBack() throws {
    try checkLines(CardFixtures.cards(of: [SharedMaterial.vCards.url]))
  }

  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed))
  func everyLineOfTheHostileFilesComesBack() throws {
    try checkLines(CardFixtures.cards(of: [SharedMaterial.hostileFiles.url]))
  }

  private func checkLines(_ cards: [(name: String, card: Card)]) throws {
    var lost: [String] = []
    var count = 0
    for (name, card) in cards {
      count += card.lines.count
      let imported = ContactCardReader().read(card)
      #expect(imported.contact.phones.count == card.all("TEL").filter { !$0.text.trimmedBlanks.isEmpty }.count)
      #expect(
        imported.contact.emails.map(\.value).sorted()
          == card.all("EMAIL").map(\.text.trimmedBlanks).filter { !$0.isEmpty }.sorted())
      let made = ContactCardWriter().card(for: imported.contact, photo: imported.photo)
      let bytes = VCardWriter(version: made.version).bytes(of: made)
      let again = try #require(VCardReader.read(bytes).cards.first)
      #expect(
        again.version == card.version
          || card.diagnostics.contains { "\($0)".contains("version") || "\($0)".contains("VERSION") })
      var left = again.lines.map(NormalLine.init).reduce(into: [NormalLine: Int]()) { $0[$1, default: 0] += 1 }
      for line in card.lines {
        let normal = NormalLine(line)
        if normal.isEmpty || (line.isNamed("PHOTO") && line.verbatim.contains("\u{FFFD}")) { continue }
        guard let number = left[normal], number > 0 else {
          if PlainForms.equal(line, imported.contact) { continue }
          lost.append("\(name):\(line.lineNumber) \(line.verbatim.prefix(150))")
          continue
        }
        left[normal] = number - 1
      }
      // A second time changes nothing more.
      let second = ContactCardReader().read(again)
      var one = imported.contact
      var two = second.contact
      one.cardLines = []
      two.cardLines = []
      if one != two, !hasSeparators(one) {
        lost.append("\(name):\(card.lineNumber) differs after the second import: \(difference(one, two))")
      }
      #expect(second.photo?.bytes == imported.photo?.bytes, "\(name)")
      let third = ContactCardWriter().card(for: second.contact, photo: second.photo)
      #expect(VCardWriter(version: third.version).bytes(of: third) == bytes, "\(name)")
    }
    print("round trip: \(count) lines, \(lost.count) lost")
    for line in lost.prefix(60) { print("  \(line)") }
    #expect(lost.isEmpty)
  }

  @Test func everyVersionKeepsTheContact() throws { try checkVersions(CardFixtures.cards()) }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed))
  func everyVersionKeepsTheContactsOfTheCorpus() throws {
    try checkVersions(CardFixtures.cards(of: [SharedMaterial.vCards.url]))
  }

  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed))
  func everyVersionKeepsTheContactsOfTheHostileFiles() throws {
    try checkVersions(CardFixtures.cards(of: [SharedMaterial.hostileFiles.url]))
  }

  private func checkVersions(_ cards: [(name: String, card: Card)]) throws {
    var lost: [String] = []
    for (name, card) in cards {
      let imported = ContactCardReader().read(card)
      for version in CardVersion.allCases {
        let made = ContactCardWriter(version: version).card(for: imported.contact, photo: imported.photo)
        let bytes = VCardWriter(version: version).bytes(of: made)
        let again = ContactCardReader().read(try #require(VCardReader.read(bytes).cards.first))
        var one = imported.contact
        var two = again.contact
        one.cardLines = []
        two.cardLines = []
        // A list in 2.1 cannot hold a comma.
        if version == .v21, one.groups.contains(where: { $0.contains(",") }) { one.groups = two.groups }
        if one != two, !hasSeparators(one) {
          lost.append("\(name):\(card.lineNumber) \(card.version) to \(version): \(difference(one, two))")
        }
        #expect(again.photo?.bytes == imported.photo?.bytes, "\(name) \(version)")
      }
    }
    for line in lost.prefix(60) { print("  \(line)") }
    #expect(lost.isEmpty)
  }
}

/// Line separators become line ends on the way out.
private func hasSeparators(_ contact: Contact) -> Bool {
  "\(contact.formattedName)\(contact.note)".unicodeScalars.contains {
    [0x0B, 0x0C, 0x85, 0x2028, 0x2029].contains($0.value)
  }
}

/// The properties that differ.
private func difference(_ one: Contact, _ two: Contact) -> String {
  zip(Mirror(reflecting: one).children, Mirror(reflecting: two).children)
    .filter { "\($0.value)" != "\($1.value)" }
    .map { "\($0.label ?? ""): \("\($0.value)".prefix(300)) | \("\($1.value)".prefix(300))" }
    .joined(separator: "; ")
}

/// A property without what versions and programs write in different ways.
struct NormalLine: Hashable {
  let group: String
  let key: String
  let parameters: [String]
  let value: [String]

  init(_ line: CardLine) {
    group = line.group.lowercased()
    key = line.key
    var all: [String] = []
    for parameter in line.parameters where !["ENCODING", "CHARSET"].contains(parameter.name) {
      for value in parameter.values {
        if parameter.name != "TYPE" { all.append("\(parameter.name)=\(value)") }
      }
    }
    if let binary = line.binary, line.isNamed("PHOTO") {
      parameters = []
      value = ["\(binary.bytes.count) \(binary.bytes.hashValue)"]
    } else {
      parameters = (all + line.types.filter { $0 != "voice" && $0 != "internet" }).sorted()
      let isStructured = ["N", "ADR", "ORG"].contains(key)
      var parts = (isStructured ? line.components : key == "CATEGORIES" ? line.list : [line.text]).map(Self.plain)
      while parts.last == "" { parts.removeLast() }
      value = parts
    }
  }

  /// Without blanks at the ends, and with line ends for line separators.
  private static func plain(_ text: String) -> String {
    let unified = text.unicodeScalars.map { [0x0B, 0x0C, 0x85, 0x2028, 0x2029].contains($0.value) ? "\n" : String($0) }
    return unified.joined().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  var isEmpty: Bool { value.allSatisfy(\.isEmpty) }
}

/// Properties that come back in another form that says the same.
enum PlainForms {
  static func equal(_ line: CardLine, _ contact: Contact) -> Bool {
    switch line.key {
    // Lines of N, FN and the like with blanks around, dates of another form.
    case "FN": return line.text.trimmingCharacters(in: .whitespacesAndNewlines) == contact.displayName
    // Escaped although it is a link.
    case "URL": return contact.urls.contains { $0.value == line.text.trimmingCharacters(in: .whitespacesAndNewlines) }
    default: return false
    }
  }
}
