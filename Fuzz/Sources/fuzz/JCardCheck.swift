import ContactInterchange
import Contacts
import Foundation
import VCard

/// jCards: small pieces give the same result as the whole, and a contact that has been written once is read back
/// unchanged.
enum JCardCheck {
  static func check(_ bytes: [UInt8]) {
    let cards = read(bytes, pieces: bytes.count)
    if cards != read(bytes, pieces: bytes.count % 7 + 1) { fatalError("pieces give other cards") }
    for case .card(_, let card) in cards.prefix(10) {
      let first = ContactCardReader().read(card)
      let second = comesBack(first)
      let third = comesBack(second)
      if second.contact != third.contact { fatalError("\(second.contact)\nis read as\n\(third.contact)") }
      if first.photo?.bytes != second.photo?.bytes { fatalError("another photo") }
      if first.contact.phones.count != second.contact.phones.count
        || first.contact.emails.count != second.contact.emails.count
      {
        fatalError("\(first.contact)\nlost a value:\n\(second.contact)")
      }
    }
  }

  private static func comesBack(_ imported: ImportedCard) -> ImportedCard {
    let text = JCardWriter().text(of: imported.contact, photo: imported.photo)
    let written = read(Array(text.utf8), pieces: text.utf8.count)
    guard written.count == 1, case .card(_, let card)? = written.first else {
      fatalError("\(imported.contact)\nis not one card but\n\(text)")
    }
    return ContactCardReader().read(card)
  }

  private enum Element: Equatable {
    case card(Int, Card)
    case unreadable(Int)
    case malformed(Int)

    static func == (one: Element, other: Element) -> Bool {
      switch (one, other) {
      case (.card(let line, let card), .card(let otherLine, let otherCard)):
        line == otherLine && card.lines == otherCard.lines
      case (.unreadable(let line), .unreadable(let otherLine)): line == otherLine
      case (.malformed(let line), .malformed(let otherLine)): line == otherLine
      default: false
      }
    }
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> [Element] {
    var reader = JCardReader(source: Pieces(bytes, of: pieces).next)
    var elements: [Element] = []
    while let element = reader.next() {
      switch element {
      case .card(let card): elements.append(.card(card.lineNumber, card))
      case .unreadable(let line): elements.append(.unreadable(line))
      case .malformed(let line): elements.append(.malformed(line))
      }
    }
    return elements
  }
}
