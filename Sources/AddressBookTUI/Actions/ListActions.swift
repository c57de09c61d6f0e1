import AddressBookModel
import Contacts
import TerminalKit

/// Lets the user choose what the list is sorted by.
@MainActor
final class OrderAction: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Shows the sort orders, with the current one marked.
  func choose() {
    let (orders, strings, present) = (ContactSortOrder.allCases, strings, list.asked.order)
    let items = orders.map { order in
      ChooserState.Item(
        strings("sort." + order.rawValue), detail: order == present ? "●" : "", aliases: [order.rawValue])
    }
    let state = ChooserState(
      title: strings("sort.title"), items: items, selected: orders.firstIndex(of: present) ?? 0,
      texts: environment.chooserTexts(placeholder: strings("chooser.typeToFilter")))
    environment.screens.push(
      Chooser(
        state, context: .chooser, style: environment.theme.widgets,
        choose: { [self] choice in
          guard case .item(let index) = choice, orders[index] != list.asked.order else { return }
          list.sort(by: orders[index])
        }))
  }
}

/// Deletes contacts, after a question.
@MainActor
final class ContactDeleting: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Deletes all marked contacts, or the selected one, if the user confirms it.
  func deleteChosen() {
    let (ids, marked) = (parts.listPane.chosenIDs, parts.listPane.marks.ids)
    guard !ids.isEmpty else { return }
    do {
      if !marked.isEmpty {
        let description = try parts.description(ofMarked: marked)
        ask(strings.count("confirm.deleteMany", ids.count), description, toDelete: ids, single: nil)
      } else if let contact = try list.selectedContact() {
        let name = parts.name(of: contact)
        ask(strings("confirm.delete", name), [], toDelete: ids, single: name)
      } else {
        status.fail(strings("status.gone"))
      }
    } catch {
      status.show(reading: error)
    }
  }

  private func ask(_ title: String, _ description: [String], toDelete ids: [Int64], single: String?) {
    environment.ask(
      title, detail: environment.undoableDetail(description),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [self] in delete(ids, single: single) },
        .init(key: "n", word: strings("confirm.delete.no")) {},
      ])
  }

  private func delete(_ ids: [Int64], single: String?) {
    let step = StepName(.delete, single ?? "")
    let done = single.map { strings("status.deleted", $0) } ?? strings.count("status.deletedMany", ids.count)
    parts.edit(ids, .delete, step: step) { _ in
      done
    } done: { [self] _ in
      deselect(ids)
    }
  }

  /// Unmarks deleted contacts, and closes the detail if it replaces the list.
  private func deselect(_ ids: [Int64]) {
    parts.listPane.unmark(ids)
    if !parts.detailPane.isBesideList { parts.detailPane.close() }
  }
}

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
  /// Whether several contacts can be chosen.
  public let isMultiple: Bool
  /// The text of the search: at the beginning, and as it was when the user chose.
  public internal(set) var query: String
  /// What was chosen, in section order; empty if nothing was found; nil until the user has chosen, and if the user
  /// cancels.
  public internal(set) var choices: [Choice]?

  /// Creates a choice that the user has not made yet.
  public init(_ kind: Kind, isMultiple: Bool = true, query: String = "") {
    (self.kind, self.isMultiple, self.query) = (kind, isMultiple, query)
  }
}

/// Chooses the selected contact, or all marked ones, and ends the full-screen interface.
@MainActor
final class PickAction: BrowserAction {
  let parts: BrowserParts
  let pick: ScreenPick
  /// True after Enter, until the list shows what was typed before it.
  private var isWaiting = false

  init(_ parts: BrowserParts, _ pick: ScreenPick) {
    self.parts = parts
    self.pick = pick
  }

  /// Opens the search field, and limits the list to contacts that have what is chosen.
  func begin() {
    if pick.kind != .contact {
      let list = pick.kind == .email ? "emails" : "phones"
      parts.list.setFilter(
        ContactFilter(
          collection: .found(by: .condition("\(list).@count > 0")), title: strings("pick.with." + list)))
    }
    parts.search.begin()
    parts.search.edit { $0 = TextField(pick.query) }
  }

  /// Makes the choice as soon as the list shows what was typed.
  func accept() {
    isWaiting = list.pending != nil
    if !isWaiting { choose() }
  }

  func stopWaiting() { isWaiting = false }

  func listIsCurrent() { if isWaiting { accept() } }

  /// For a contact with several addresses or numbers, the user is asked which one; a contact without any is left out.
  private func choose() {
    let contacts: [Contact]
    do {
      let marked = Array(parts.listPane.marks.ids)
      let ids = marked.isEmpty ? [list.selectedID].compactMap(\.self) : try environment.book.idsInOrder(of: marked)
      contacts = try environment.book.contacts(ids: ids)
    } catch {
      return status.show(reading: error)
    }
    choose(from: contacts.filter { pick.kind == .contact || !links(of: $0).isEmpty }[...], chosen: [])
  }

  private func choose(from contacts: ArraySlice<Contact>, chosen: [ScreenPick.Choice]) {
    guard let contact = contacts.first else {
      pick.choices = chosen
      pick.query = parts.search.text
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
