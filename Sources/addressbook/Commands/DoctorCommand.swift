import AddressBookModel
import ArgumentParser
import BookCare
import Messages

/// `addressbook doctor`: examines the book, and with `--repair` repairs it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "doctor", abstract: strings("Help/doctor"))

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("repair"), help: help("doctorRepair"))
  var repairs = false

  @Flag(name: .customLong("from-backups"), help: help("doctorFromBackups"))
  var allowsOlder = false

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  func validate() throws {
    if allowsOlder, !repairs { throw ValidationError(strings("Misuse/doctor")) }
  }

  func run() throws {
    Interruption.watch()
    let bar = ProgressBar()
    defer { bar.clear() }
    let doctor = BookDoctor(
      try book.location(),
      progress: DoctorProgress(
        onProgress: { stage, fraction in bar.show(Localization.shared.name(of: stage), fraction) },
        isCancelled: { Interruption.wasRequested }))
    do {
      if repairs {
        let report = try doctor.repair(takingOlderContacts: allowsOlder)
        bar.clear()
        try print(report.before, report.actions, after: report.after)
        try finish(report.after)
      } else {
        let examination = try doctor.examine()
        bar.clear()
        try print(examination, [], after: nil)
        try finish(examination)
      }
    } catch let error as StoreError where error.reason == .cancelled {
      bar.clear()
      throw CommandFailure(.interrupted, error.message(in: .shared))
    }
  }

  private func print(_ before: Examination, _ actions: [RepairReport.Action], after: Examination?) throws {
    let output = StandardOutput()
    switch format {
    case .table: DoctorText(before, actions, after: after).lines.forEach(output.line)
    case .tsv:
      for finding in (after ?? before).findings {
        output.line(
          TabSeparated.row([finding.severity.rawValue, finding.kind.rawValue, finding.message(in: .shared)]))
      }
    case .json, .jsonl: output.line(DoctorJSON.report(before, actions, after: after).line)
    }
    try output.flush(isStored: !actions.isEmpty)
  }

  private func finish(_ examination: Examination) throws {
    if examination.isHealthy { return }
    if let missing = examination.findings.first(where: { $0.kind == .missing }) {
      throw CommandFailure(.nothingFound, missing.message(in: .shared))
    }
    let key = examination.isRepairable && !repairs ? "Doctor/repairable" : "Doctor/attention"
    throw CommandFailure(.failed, strings(key))
  }
}

/// The findings and actions of the doctor, as lines in the user's language.
struct DoctorText {
  private let localization = Localization.shared
  private(set) var lines: [String] = []

  /// - Parameter after: the examination after a repair; nil without a repair.
  init(_ before: Examination, _ actions: [RepairReport.Action], after: Examination?) {
    add(before)
    guard let after else { return }
    lines.append("")
    lines.append(strings(actions.isEmpty ? "Doctor/nothingDone" : "Doctor/done"))
    for action in actions { lines.append("  " + action.message(in: localization)) }
    if after.isHealthy {
      lines.append(strings("Doctor/healthyNow", count: after.contacts ?? 0))
    } else {
      lines.append("")
      lines.append(strings("Doctor/left"))
      add(after)
    }
  }

  private mutating func add(_ examination: Examination) {
    var head = examination.path
    if let count = examination.contacts {
      head = localization.titled(
        head, strings(examination.needsSalvage ? "Doctor/readable" : "Doctor/examined", count: count))
    }
    lines.append(head)
    if examination.findings.isEmpty { lines.append(strings("Doctor/nothing")) }
    let words = ["damage", "warning", "note"].map { strings("Doctor/" + $0) }
    let width = words.map(TextTable.width).max() ?? 0
    let indent = String(repeating: " ", count: width + 2)
    for finding in examination.findings {
      let word = TextTable.padded(strings("Doctor/" + finding.severity.rawValue), to: width)
      lines.append(word + "  " + finding.message(in: localization))
      if !finding.contacts.isEmpty { lines.append(indent + finding.contactList(in: localization)) }
      let advice = finding.advice(in: localization)
      if !advice.isEmpty { lines.append(indent + "→ " + advice) }
    }
  }
}

/// The findings and actions of the doctor, as JSON.
enum DoctorJSON {
  /// - Parameter after: the examination after a repair; nil without a repair.
  static func report(_ before: Examination, _ actions: [RepairReport.Action], after: Examination?) -> JSON {
    let repair = after.map { [("actions", JSON.list(actions.map(action))), ("after", .object(members($0)))] }
    return .object(members(before) + (repair ?? []))
  }

  private static func members(_ examination: Examination) -> [(String, JSON)] {
    [
      ("book", .text(examination.path)), ("healthy", .boolean(examination.isHealthy)),
      ("contacts", examination.contacts.map(JSON.number) ?? .null), ("salvage", .boolean(examination.needsSalvage)),
      ("findings", .list(examination.findings.map(finding))),
    ]
  }

  private static func finding(_ finding: Finding) -> JSON {
    .object([
      ("kind", .text(finding.kind.rawValue)), ("severity", .text(finding.severity.rawValue)),
      ("message", .text(finding.message(in: .shared))), ("advice", .text(finding.advice(in: .shared))),
      ("count", .number(finding.count)), ("contacts", contacts(finding.contacts)),
      ("details", .texts(finding.details)), ("repairable", .boolean(finding.isRepairable)),
    ])
  }

  private static func action(_ action: RepairReport.Action) -> JSON {
    .object([
      ("kind", .text(action.kind.rawValue)), ("message", .text(action.message(in: .shared))),
      ("count", .number(action.count)), ("contacts", contacts(action.contacts)), ("path", .text(action.path)),
      ("loss", .boolean(action.isLoss)),
    ])
  }

  private static func contacts(_ contacts: [NamedContact]) -> JSON {
    .list(contacts.map { .object([("id", .number(Int($0.id))), ("name", .text($0.name))]) })
  }
}
