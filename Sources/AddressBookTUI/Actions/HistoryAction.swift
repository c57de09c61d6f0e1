import AddressBookModel

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
