import AddressBookModel
import ContactInterchange
import Contacts

/// Steps of the history, and changes to a contact, as JSON.
enum JSONHistory {
  /// Steps as an array, one per line.
  static func text(_ steps: [EditStep]) -> String {
    array(steps.map { object(of: $0, []) })
  }

  /// Changes to a contact as an array, one per line.
  static func text(_ changes: [ContactChange]) -> String {
    array(
      changes.map { change in
        let fields = change.fields.map { field in
          "{\"field\": \(ContactJSON.encode(field.jsonKey))"
            + ", \"before\": \(ContactJSON.encode(field, of: change.before))"
            + ", \"after\": \(ContactJSON.encode(field, of: change.after))}"
        }
        let folders = change.folders.map { move in
          "{\"field\": \"folders\", \"before\": \(names(move.before)), \"after\": \(names(move.after))}"
        }
        let list = (fields + [folders].compactMap(\.self)).joined(separator: ", ")
        return object(
          of: change.step, [("change", ContactJSON.encode(change.kind.rawValue)), ("fields", "[\(list)]")])
      })
  }

  private static func names(_ names: [String]) -> String {
    "[" + names.map(ContactJSON.encode).joined(separator: ", ") + "]"
  }

  private static func object(of step: EditStep, _ additions: [(String, String)]) -> String {
    let kind =
      switch step.kind {
      case .change: "change"
      case .undo: "undo"
      case .redo: "redo"
      }
    let pairs: [(String, String)] =
      [
        ("step", String(step.id)), ("kind", ContactJSON.encode(kind)),
        ("action", ContactJSON.encode(step.name.action.rawValue)), ("subject", ContactJSON.encode(step.name.subject)),
        ("contacts", String(step.count)), ("moment", ContactJSON.encode(step.moment)),
        ("user", ContactJSON.encode(step.user)), ("program", ContactJSON.encode(step.program)),
        ("undone", String(step.isReversed)),
      ] + additions
    return "{" + pairs.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
  }

  private static func array(_ items: [String]) -> String {
    items.isEmpty ? "[]\n" : "[\n" + items.joined(separator: ",\n") + "\n]\n"
  }
}
