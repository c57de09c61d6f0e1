import AddressBookModel
import Contacts

/// Cards that lack lines of the card that their contact came from, until the end of an import: another card of the
/// import may have the same UID and these lines, as it had when the contact was imported. Otherwise the lines were
/// removed.
struct PartialCards {
  private var cards: [(card: IncomingCard, photo: Photo?, file: String)] = []
  private var indexes: [String: Int] = [:]
  /// How much more may wait, in bytes; further cards are imported at once.
  private var room = 1 << 24

  /// Lets a card wait.
  /// - Returns: false if there is no room for it.
  mutating func add(_ card: IncomingCard, _ photo: Photo?, _ file: String) -> Bool {
    let size = card.contact.cardLines.reduce(1024) { $0 + $1.utf8.count } + 2 * (card.picture?.count ?? 0)
    guard size <= room else { return false }
    room -= size
    indexes[CardIdentity.canonical(card.contact.uid)] = cards.count
    cards.append((card, photo, file))
    return true
  }

  /// Adds a card to the one that waits with the same UID, unless it is about someone else.
  /// - Returns: the line of the card that waits; nil if there is none.
  mutating func join(_ card: IncomingCard, _ photo: Photo?) -> Int? {
    guard !indexes.isEmpty, card.isWhole, let index = indexes[CardIdentity.canonical(card.contact.uid)] else {
      return nil
    }
    let waiting = cards[index].card
    guard !waiting.contact.contradicts(card.contact) else { return nil }
    cards[index].card.contact = waiting.contact.adding(card.contact)
    if cards[index].photo == nil {
      (cards[index].photo, cards[index].card.picture) = (photo, card.picture)
      cards[index].card.photoLine = nil
    }
    return waiting.line
  }

  /// Returns the cards in the order in which they came; none wait any longer.
  mutating func take() -> [(card: IncomingCard, photo: Photo?, file: String)] {
    defer { (cards, indexes) = ([], [:]) }
    return cards
  }
}
