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

/// Shows who changed what in the selected contact, and when.
@MainActor
final class HistoryAction: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  func show() {
    guard let contact = list.contactForAction() else { return }
    let changes: [ContactChange]
    do {
      changes = try environment.book.changes(ofContact: contact.id)
    } catch {
      return status.show(reading: error)
    }
    guard !changes.isEmpty else { return status.say(strings("history.none", parts.name(of: contact))) }
    environment.screens.push(
      TextPage(
        title: parts.name(of: contact), detail: strings.count("history.count", changes.count),
        paragraphs: changes.flatMap(paragraphs), environment: environment))
  }

  private func paragraphs(_ change: ContactChange) -> [String] {
    let step = change.step
    let who = strings.noted(step.user, strings("history.program." + program(of: step)))
    let head = [step.localTime, change.heading(in: strings.localization), who]
    return [head.joined(separator: "  ")]
      + change.differences(in: strings.localization).map { "    " + $0.line(in: strings.localization) } + [" "]
  }

  private func program(of step: EditStep) -> String { step.program == "screen" ? "screen" : "command" }
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
