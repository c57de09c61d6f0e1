import ContactInterchange
import Contacts

/// A card on its way through the threads of an import: one reads it, one writes it. It is a class, because copying a
/// contact would retain dozens of objects.
final class PipedCard: Sendable {
  let card: IncomingCard
  /// The rows to write if its contact is new; nil if they were not made in advance.
  let image: ContactImage?
  /// The canonical spelling of its UID; empty if ``image`` is nil.
  let uidKey: String

  /// Makes the rows too, unless the card must be checked or merged first.
  /// - Parameter moment: the time of the import.
  init(_ card: consuming IncomingCard, moment: String) {
    let isPlain =
      card.group == nil && card.patch == nil && card.picture == nil && !card.isEmpty && !card.contact.uid.isEmpty
      && !card.contact.mayBeInvalid
    image =
      isPlain ? ContactImage(card.contact, DerivedColumns(card.contact), photo: nil, moment: moment) : nil
    uidKey = isPlain ? CardIdentity.canonical(card.contact.uid) : ""
    self.card = card
  }
}

/// A ``CardEvent`` in a ``CardPipe``.
enum PipedEvent: Sendable {
  case card(PipedCard)
  case finding(line: Int, ImportNotice.Kind)
  case unreadable(line: Int, ImportNotice.Kind)

  init(_ event: consuming CardEvent, moment: String) {
    switch consume event {
    case .card(let card): self = .card(PipedCard(card, moment: moment))
    case .finding(let line, let kind): self = .finding(line: line, kind)
    case .unreadable(let line, let kind): self = .unreadable(line: line, kind)
    }
  }
}
