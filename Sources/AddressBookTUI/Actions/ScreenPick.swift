import Contacts

/// A choice made in the full-screen interface: the user chooses contacts, or an email address or phone number of each.
@MainActor
public final class ScreenPick {
  /// What the user chooses.
  public enum Kind: Sendable {
    /// Contacts.
    case contact
    /// An email address of each contact.
    case email
    /// A phone number of each contact.
    case phone
  }

  /// A chosen contact.
  public struct Choice: Hashable, Sendable {
    /// Its id.
    public let id: Int64
    /// The address or number; empty if only contacts are chosen.
    public let value: String
  }

  /// What the user chooses.
  public let kind: Kind
  /// What was chosen, in section order; empty until the user has chosen, and if the user quits.
  public internal(set) var choices: [Choice] = []

  /// Creates a choice that the user has not made yet.
  public init(_ kind: Kind) { self.kind = kind }
}

/// Chooses the selected contact, or all marked ones, and ends the full-screen interface.
@MainActor
final class PickAction: BrowserAction {
  let parts: BrowserParts
  private let pick: ScreenPick

  init(_ parts: BrowserParts, _ pick: ScreenPick) {
    self.parts = parts
    self.pick = pick
  }

  /// Makes the choice. For a contact with several addresses or numbers, the user is asked which one; a contact without
  /// any is left out.
  func choose() {
    let contacts: [Contact]
    do {
      let marked = Array(parts.listPane.marks.ids)
      let ids = marked.isEmpty ? [list.selectedID].compactMap(\.self) : try environment.book.idsInOrder(of: marked)
      contacts = try environment.book.contacts(ids: ids)
    } catch {
      return status.show(reading: error)
    }
    guard !contacts.isEmpty else { return }
    let usable = pick.kind == .contact ? contacts : contacts.filter { !links(of: $0).isEmpty }
    guard !usable.isEmpty else {
      return status.say(strings(pick.kind == .email ? "pick.noEmail" : "pick.noPhone"))
    }
    choose(from: usable[...], chosen: [])
  }

  private func choose(from contacts: ArraySlice<Contact>, chosen: [ScreenPick.Choice]) {
    guard let contact = contacts.first else {
      pick.choices = chosen
      return environment.loop.stop()
    }
    let links = links(of: contact)
    guard links.count > 1 else {
      let choice = ScreenPick.Choice(id: contact.id, value: links.first?.value ?? "")
      return choose(from: contacts.dropFirst(), chosen: chosen + [choice])
    }
    environment.choose(
      title: parts.name(of: contact), items: ContactLink.lines(links, strings)
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      choose(
        from: contacts.dropFirst(),
        chosen: chosen + [ScreenPick.Choice(id: contact.id, value: links[index].value)])
    }
  }

  private func links(of contact: Contact) -> [ContactLink] {
    switch pick.kind {
    case .contact: []
    case .email: contact.links([.email])
    case .phone: contact.links([.phone])
    }
  }
}
