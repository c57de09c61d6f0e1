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
