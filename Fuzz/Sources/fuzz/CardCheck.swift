import ContactInterchange
import Contacts
import VCard

/// Cards: reading in small pieces gives the same cards as reading the whole, and after one round trip a contact no
/// longer changes.
enum CardCheck {
  static func check(_ bytes: [UInt8]) {
    let cards = VCardReader.read(bytes).cards
    let inPieces = read(bytes, pieces: bytes.count % 7 + 1)
    if cards.map(\.lines) != inPieces.map(\.lines) {
      fatalError("pieces of \(bytes.count % 7 + 1) bytes give other cards")
    }
    // Try only one version per input, to get through more inputs.
    let version = ([nil] + CardVersion.allCases.map(Optional.some))[bytes.count % (CardVersion.allCases.count + 1)]
    for card in cards.prefix(10) { check(card, version) }
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> [Card] {
    let reader = VCardReader<Never>(source: Pieces(bytes, of: pieces).next)
    var cards: [Card] = []
    while let event = reader.next() { if case .card(let card) = event { cards.append(card) } }
    return cards
  }

  /// The first round trip keeps the photo, and as many phone numbers and emails; a second one changes nothing.
  private static func check(_ card: Card, _ version: CardVersion?) {
    _ = VCardReader.read(VCardWriter(version: card.version).bytes(of: card))
    let first = ContactCardReader().read(card)
    let second = comesBack(first, version)
    let third = comesBack(second, version)
    let name = version?.rawValue ?? "its own version"
    if second.contact != third.contact {
      fatalError("\(second.contact)\nchanged in a round trip in \(name):\n\(third.contact)")
    }
    if first.photo?.bytes != second.photo?.bytes { fatalError("the photo changed in \(name)") }
    if first.contact.phones.count != second.contact.phones.count
      || first.contact.emails.count != second.contact.emails.count
    {
      fatalError("\(first.contact)\nlost a value in \(name):\n\(second.contact)")
    }
  }

  private static func comesBack(_ imported: ImportedCard, _ version: CardVersion?) -> ImportedCard {
    let card = ContactCardWriter(version: version).card(for: imported.contact, photo: imported.photo)
    let bytes = VCardWriter(version: card.version).bytes(of: card)
    let read = VCardReader.read(bytes)
    guard let written = read.cards.first, read.cards.count == 1, read.skipped.isEmpty else {
      fatalError("\(imported.contact)\nis not one card but\n\(String(decoding: bytes, as: UTF8.self))")
    }
    return ContactCardReader().read(written)
  }
}
