import AddressBookModel
import Contacts
import TerminalKit

/// What the main screen writes.
extension BrowserScreen {
  // MARK: Adding and changing

  func addPerson() {
    let session = editor.beginNew(newContact)
    openForm(session, isNew: true)
  }

  /// Somebody new begins in the group that the list shows.
  private var newContact: Contact {
    var contact = Contact()
    if let group = list.filter.group { contact.groups = [group] }
    return contact
  }

  func editSelected() {
    guard let id = list.selectedID else { return }
    do {
      guard let session = try editor.begin(id) else {
        message = (environment.strings("status.gone"), true)
        return
      }
      openForm(session, isNew: false)
    } catch {
      show(error)
    }
  }

  /// Opens the form; with a draft, it holds what was typed then.
  @discardableResult
  func openForm(_ session: ContactEditor.Session, isNew: Bool, draft: Draft? = nil) -> ContactFormScreen {
    let form = ContactFormScreen(session.contact, draft: draft, environment: environment) { [weak self] contact, form in
      self?.save(contact, session, isNew: isNew, form: form) ?? .saved
    }
    environment.screens.push(form)
    return form
  }

  private func save(
    _ contact: Contact, _ session: ContactEditor.Session, isNew: Bool, form: ContactFormScreen,
    policy: MergePolicy = .byField
  ) -> ContactFormScreen.Outcome {
    let strings = environment.strings
    do {
      guard let id = try editor.save(contact, photo: form.photo, in: session, policy: policy) else {
        message = (strings("status.gone"), true)
        return .saved
      }
      if isNew { stopHiding(contact, id: id) }
      list.select(id: id)
      detailTop = 0
      message = (strings(isNew ? "status.added" : "status.saved", name(of: contact)), false)
      return .saved
    } catch {
      switch error {
      case .invalid(let errors): return .invalid(errors, summary: strings.count("form.errors", errors.count))
      case .conflict(let conflict):
        ask(about: conflict, contact, session, form)
        return .asked
      case .busy(let reason): return .busy(reason)
      case .bookGone(let reason):
        offerToReopen(reason)
        return .asked
      case .failed(let reason): return .failed(reason)
      }
    }
  }

  /// Ends the search, and leaves a group that they are not in: somebody new would be saved and not be seen.
  private func stopHiding(_ contact: Contact, id: Int64) {
    if let group = list.filter.group, !contact.groups.contains(group) {
      showEverybody()
    } else if !filterText.isEmpty {
      endSearch(selecting: id)
    }
  }

  /// Both sides changed the same fields: the person decides which stay.
  private func ask(
    about conflict: ContactEditor.Conflict, _ contact: Contact, _ session: ContactEditor.Session,
    _ form: ContactFormScreen
  ) {
    let strings = environment.strings
    func answer(_ policy: MergePolicy) {
      switch save(contact, session, isNew: false, form: form, policy: policy) {
      case .saved: form.close()
      case .failed(let reason), .busy(let reason): form.showFailure(reason)
      case .invalid, .asked: break
      }
    }
    environment.ask(
      strings(conflict.isDeleted ? "conflict.deleted" : "conflict.title", name(of: contact)),
      detail: conflict.isDeleted ? "" : strings("conflict.detail", fieldNames(of: conflict)),
      answers: [
        .init(key: "m", word: strings("conflict.mine")) { answer(.objectWins) },
        .init(key: "t", word: strings("conflict.theirs")) { answer(.storeWins) },
        .init(key: "b", word: strings("conflict.back")) {},
      ])
  }

  func fieldNames(of conflict: ContactEditor.Conflict) -> String {
    let localization = environment.strings.localization
    return Set(conflict.fields.map { localization.propertyPath($0, entity: "Person") }).sorted().joined(separator: ", ")
  }

  func name(of contact: Contact) -> String {
    let name = contact.displayName
    return name.isEmpty ? environment.strings("contact.nameless") : name
  }

  /// The name for a question about one person.
  private func name(ofSelected id: Int64) -> String? {
    list.contactForAction().flatMap { $0.id == id ? name(of: $0) : nil }
  }

  // MARK: Deleting

  func deleteSelected() {
    let strings = environment.strings
    let ids = chosenIDs
    guard let first = ids.first else { return }
    let single = marked.isEmpty ? name(ofSelected: first) : nil
    let title = single.map { strings("confirm.delete", $0) } ?? strings.count("confirm.deleteMany", ids.count)
    var detail = [strings("confirm.delete.detail", environment.keys.label(of: .undo, in: .list))]
    if single == nil {
      do {
        detail.insert(contentsOf: try description(ofMarked: ids), at: 0)
      } catch {
        show(reading: error)
        return
      }
    }
    environment.ask(
      title, detail: detail.joined(separator: "\n"),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [weak self] in self?.delete(ids, single: single) },
        .init(key: "n", word: strings("confirm.delete.no")) {},
      ])
  }

  /// Names of who is marked, the first few, and how many of them cannot be seen.
  private func description(ofMarked ids: [Int64]) throws -> [String] {
    let strings = environment.strings
    let ordered = ids.map { (id: $0, row: list.snapshot.flatRow(ofID: $0)) }
      .sorted { ($0.row ?? .max, $0.id) < ($1.row ?? .max, $1.id) }
    let shown = ordered.prefix(Self.namesInQuestion).map(\.id)
    let contacts = try environment.book.contacts(ids: shown)
    let names = shown.compactMap { id in contacts.first { $0.id == id }.map { DisplayText.clean(name(of: $0)) } }
    let text = names.joined(separator: strings("list.comma"))
    let rest = ids.count - shown.count
    var lines = [rest > 0 ? strings.count("confirm.delete.more", rest, text) : text]
    let filtered = ordered.count { $0.row == nil }
    let unseen = ids.count { !isOnScreen($0) }
    if filtered > 0 {
      lines.append(strings.count("confirm.delete.filtered", filtered))
    } else if unseen > 0 {
      lines.append(strings.count("confirm.delete.unseen", unseen))
    }
    return lines
  }

  /// As many names as a question has room for in a small window.
  private static var namesInQuestion: Int { 5 }

  private func isOnScreen(_ id: Int64) -> Bool { !showsDetail || isSplit ? list.isVisible(id) : false }

  private func delete(_ ids: [Int64], single: String?) {
    let strings = environment.strings
    let step = single.map { strings("undo.delete", $0) } ?? strings("undo.deleteMany", strings.number(ids.count))
    let done = single.map { strings("status.deleted", $0) } ?? strings.count("status.deletedMany", ids.count)
    if ids.count > ContactEditor.bulkThreshold {
      return editInBulk(ids, .delete, step: step, message: done) { [weak self] in self?.forget(ids) }
    }
    do {
      try editor.delete(ids, name: step)
      forget(ids)
      message = (done, false)
    } catch {
      show(error) { [weak self] in self?.delete(ids, single: single) }
    }
  }

  /// They were deleted.
  private func forget(_ ids: [Int64]) {
    marked.subtract(ids)
    showsDetail = showsDetail && isSplit
  }

  /// - Parameters:
  ///   - isAskedFor: false for work in the background, whose end no key brings about.
  ///   - again: does once more what failed, for when another program was in the way.
  func show(_ failure: ContactEditor.Failure, isAskedFor: Bool = true, again: (@MainActor () -> Void)? = nil) {
    let strings = environment.strings
    switch failure {
    case .busy(let reason):
      guard let again else {
        message = (reason, true)
        return
      }
      // A question stays until it is answered.
      environment.ask(
        strings("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: strings("busy.retry"), action: again), .init(key: "b", word: strings("busy.back")) {},
        ], isAskedFor: isAskedFor)
    case .bookGone(let reason): offerToReopen(reason, isAskedFor: isAskedFor)
    case .invalid(let errors):
      message = (strings("status.saveFailed", errors.values.sorted().joined(separator: " ")), true)
    case .conflict:
      message = (strings("status.saveFailed", strings.localization.text("ErrorString/save.conflict")), true)
    case .failed(let reason): message = (strings("status.saveFailed", reason), true)
    }
  }

  /// Says that something could not be read; what is on the screen stays.
  func show(reading error: any Error) {
    let strings = environment.strings
    let reason = (error as? StoreError)?.message(in: strings.localization) ?? String(describing: error)
    message = (strings("status.readFailed", reason), true)
  }
}
