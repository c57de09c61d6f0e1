import AddressBookModel
import Contacts
import TerminalKit

/// Shows the history of the selected contact and the steps of the book, undoes one of them, and restores a contact.
@MainActor
final class HistoryActions: BrowserAction {
  let parts: BrowserParts
  let undoing: UndoActions

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
  }

  /// Shows who changed what in the selected contact, and when.
  func showContact() {
    guard let contact = list.contactForAction() else { return }
    do {
      guard try !environment.book.changes(ofContact: contact.id).isEmpty else {
        return status.say(strings("history.none", parts.name(of: contact)))
      }
    } catch {
      return status.show(reading: error)
    }
    show(.contact(contact.id, name: parts.name(of: contact)))
  }

  /// Shows the steps of the book, which can be undone.
  func showSteps() {
    do {
      guard try !environment.book.history(limit: 1).isEmpty else { return status.say(strings("status.nothingToUndo")) }
    } catch {
      return status.show(reading: error)
    }
    show(.book)
  }

  private func show(_ subject: HistoryScreen.Subject) {
    environment.screens.push(HistoryScreen(environment: environment, actions: self, subject: subject))
  }

  func undo(_ step: EditStep) {
    if step.isReversed { status.say(strings("history.isReversed")) } else { undoing.reverse(step) }
  }

  // MARK: Restoring

  private enum Part {
    case version(Int)
    case field(ContactField)
  }

  /// Asks what to restore: the contact as it was before or after a change, or one field as it was before.
  func restore(_ id: Int64, _ change: ContactChange) {
    var parts: [(part: Part, text: String)] = []
    if change.versionBefore > 0 { parts.append((.version(change.versionBefore), strings("history.restore.before"))) }
    parts.append((.version(change.version), strings("history.restore.after")))
    if change.versionBefore > 0 {
      for field in change.fields where field != .special(.photo) {
        let back = FieldDifference(field, from: change.after, to: change.before, in: strings.localization)
        if !back.isEmpty { parts.append((.field(field), back.line(in: strings.localization))) }
      }
    }
    environment.choose(
      title: strings("history.restore"), items: parts.map(\.text), hint: change.step.localTime
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      restore(id, parts[index].part, change)
    }
  }

  private func restore(_ id: Int64, _ part: Part, _ change: ContactChange) {
    do {
      guard let now = try editor.begin(id)?.contact else { return status.fail(strings("status.gone")) }
      var mine: Contact?
      switch part {
      case .field(let field): mine = try change.before(field, in: now)
      case .version(let version): mine = try environment.book.contact(id, version: version)
      }
      guard var mine else { return status.fail(strings("history.restore.gap")) }
      // The bytes of an earlier photo may be gone.
      let isOtherPhoto = mine.photo != now.photo
      (mine.id, mine.uid, mine.photo) = (now.id, now.uid, now.photo)
      guard !mine.changedFields(since: now).isEmpty else { return status.say(strings("history.restore.same")) }
      _ = try editor.save(ContactEdit(of: now, to: mine))
      status.showUndoable(strings(isOtherPhoto ? "history.restore.donePhoto" : "history.restore.done"))
    } catch {
      parts.show(error) { [self] in restore(id, part, change) }
    }
  }
}
