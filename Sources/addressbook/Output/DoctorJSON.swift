import AddressBookModel
import BookCare
import ContactInterchange

/// The findings and actions of the doctor, as JSON.
enum DoctorJSON {
  /// - Parameter after: the examination after a repair; nil without a repair.
  static func text(_ before: Examination, _ actions: [RepairReport.Action], after: Examination?) -> String {
    var members = object(before)
    if let after {
      members.append(("actions", list(actions.map(action))))
      members.append(("after", text(object(after))))
    }
    return text(members) + "\n"
  }

  private static func object(_ examination: Examination) -> [(String, String)] {
    [
      ("book", ContactJSON.encode(examination.path)),
      ("healthy", String(examination.isHealthy)),
      ("contacts", examination.contacts.map(String.init) ?? "null"),
      ("salvage", String(examination.needsSalvage)),
      ("findings", list(examination.findings.map(finding))),
    ]
  }

  private static func finding(_ finding: Finding) -> String {
    text([
      ("kind", ContactJSON.encode(finding.kind.rawValue)),
      ("severity", ContactJSON.encode(finding.severity.rawValue)),
      ("message", ContactJSON.encode(finding.message(in: .shared))),
      ("advice", ContactJSON.encode(finding.advice(in: .shared))),
      ("count", String(finding.count)),
      ("contacts", contacts(finding.contacts)),
      ("details", list(finding.details.map(ContactJSON.encode))),
      ("repairable", String(finding.isRepairable)),
    ])
  }

  private static func action(_ action: RepairReport.Action) -> String {
    text([
      ("kind", ContactJSON.encode(action.kind.rawValue)),
      ("message", ContactJSON.encode(action.message(in: .shared))),
      ("count", String(action.count)),
      ("contacts", contacts(action.contacts)),
      ("path", ContactJSON.encode(action.path)),
      ("loss", String(action.isLoss)),
    ])
  }

  private static func contacts(_ contacts: [NamedContact]) -> String {
    list(contacts.map { text([("id", String($0.id)), ("name", ContactJSON.encode($0.name))]) })
  }

  private static func list(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }

  private static func text(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }
}
