import AddressBookModel
import BookSearching
import Contacts
import Dispatch
import TerminalKit

/// What a form takes over from other contacts of the book: the name of a related one, or its address.
extension ContactFormScreen {
  private nonisolated static var mostFound: Int { 50 }

  func chooseContact() {
    switch model.rows[model.focus].multiField {
    case .address?: chooseAddress()
    case .values(let values)? where values.card.form == .related: chooseRelated()
    default: break
    }
  }

  /// Lets the user choose among the contacts that match the typed text.
  private func chooseRelated() {
    let typed = model.rows[model.focus].text.trimmed
    guard !typed.isEmpty else { return message = (environment.strings("form.related.type"), false) }
    let (book, loop) = (environment.book, environment.loop)
    DispatchQueue.global(qos: .userInitiated).async {
      let found = Result { () throws(StoreError) in
        try book.contacts(ids: BookQueries(book).find(typed).prefix(Self.mostFound).map(\.id))
      }
      loop.post { self.choose(from: found, typed) }
    }
  }

  private func choose(from found: Result<[Contact], StoreError>, _ typed: String) {
    // The user may have left or typed on in the meantime.
    guard environment.screens.top === self, model.rows[model.focus].text.trimmed == typed else { return }
    let strings = environment.strings
    switch found {
    case .failure(let error): message = (error.message(in: strings.localization), true)
    case .success(let contacts):
      let contacts = contacts.filter { $0.id != model.original.id && !$0.displayName.isEmpty }
      guard !contacts.isEmpty else { return message = (strings("form.related.none", typed), false) }
      let items = contacts.map { contact in
        let values = [contact.organization] + [contact.phones, contact.emails].compactMap(\.first?.value)
        return ChooserState.Item(contact.displayName, detail: values.first { !$0.isEmpty } ?? "")
      }
      environment.choose(title: strings("form.related"), items: items) { [self] choice in
        guard case .item(let index) = choice else { return }
        model.setEditor(.field(TextField(contacts[index].displayName)))
        inputDidChange()
      }
    }
  }

  /// Lets the user choose among the addresses of the related contacts.
  private func chooseAddress() {
    let strings = environment.strings
    do {
      var contact = model.contact
      contact.id = model.original.id
      let related = try environment.book.relatedContacts(of: contact)
      let addresses = try environment.book.contacts(ids: related.map(\.id)).flatMap { other in
        other.addresses.map { (name: other.displayName, address: $0) }
      }
      guard !addresses.isEmpty else { return message = (strings("form.address.none"), false) }
      let items = addresses.map {
        ChooserState.Item(AddressText.lines(of: $0.address).joined(separator: ", "), detail: $0.name)
      }
      environment.choose(title: strings("form.address"), items: items) { [self] choice in
        guard case .item(let index) = choice else { return }
        model.fill(addresses[index].address)
        inputDidChange()
      }
    } catch {
      message = (error.message(in: strings.localization), true)
    }
  }
}
