import AddressBookModel
import ContactInterchange
import Contacts
import FolderSync
import Messages

/// The report of a sync: for people on standard error, and as JSON.
struct SyncText {
  private let report: SyncReport

  init(_ report: SyncReport) { self.report = report }

  /// Prints the report on standard error.
  /// - Parameters:
  ///   - name: the name of the folder, at the beginning of each line; nil if there is only one folder.
  ///   - quietly: true to print nothing if nothing was done.
  func say(name: String?, quietly: Bool) {
    if quietly, report.refused == nil, report.toBook.total + report.toFolder.total == 0 { return }
    for line in lines { StandardError.line(name.map { Localization.shared.titled($0, line) } ?? line) }
  }

  // MARK: - For people

  private var lines: [String] {
    if let refusal = report.refused {
      return [strings("Sync/refused." + refusal.side.rawValue, refusal.missing, refusal.known, report.folder)]
    }
    var lines = report.isDryRun ? [strings("Sync/dryRun")] : []
    lines += report.conflicts.map(Self.line)
    lines += report.skipped.map { strings("Sync/skipped." + $0.reason.rawValue, $0.file) }
    if report.toBook.total + report.toFolder.total == 0 {
      lines.append(strings(report.isIncomplete ? "Sync/nothingElse" : "Sync/inStep"))
    } else {
      lines += [("Sync/toBook", report.toBook), ("Sync/toFolder", report.toFolder)].filter { $0.1.total > 0 }
        .map { key, counts in strings(key, counts.added, counts.changed, counts.deleted) }
    }
    if report.conflicts.contains(where: { $0.conflict.kept == .each }) { lines.append(strings("Sync/howToDecide")) }
    return lines
  }

  private static func line(_ conflict: SyncReport.Conflict) -> String {
    let name = conflict.name.isEmpty ? conflict.file : conflict.name
    switch (conflict.conflict.subject, conflict.conflict.kept) {
    case (.contact, .theirs): return strings("Sync/restored.book", name)
    case (.contact, _): return strings("Sync/restored.folder", name, conflict.file)
    case (.field(let field), let kept):
      let values = [conflict.conflict.mine, conflict.conflict.theirs].map(text)
      return strings(
        "Sync/conflict." + kept.rawValue, strings("Sync/field", name, Localization.shared.title(of: field)), values[0],
        values[1])
    }
  }

  private static func text(_ value: MergeConflict.Value) -> String {
    switch value {
    case .labeled(let item): Localization.shared.noted(item.value, Localization.shared.label(item.label))
    case .text(let text): text
    case .day(let day): day.iso
    case .address(let address): address.joined(by: ", ")
    case .photo(let photo): strings("Show/photo", photo.bytes)
    case .none, .present, .changed, .deleted: ""
    }
  }

  // MARK: - JSON

  var json: JSON {
    func counts(_ counts: SyncReport.Counts) -> JSON {
      .object([
        ("added", .number(counts.added)), ("changed", .number(counts.changed)), ("deleted", .number(counts.deleted)),
      ])
    }
    let conflicts = report.conflicts.map { conflict in
      let place = JSON.object([("uid", .text(conflict.uid)), ("file", .text(conflict.file))])
      return JSON.encoded(place.line.dropLast() + ", " + ContactJSON.encode(conflict.conflict).dropFirst())
    }
    let skipped = report.skipped.map { JSON.object([("file", .text($0.file)), ("reason", .text($0.reason.rawValue))]) }
    let refused = report.refused.map {
      JSON.object([
        ("side", .text($0.side.rawValue)), ("missing", .number($0.missing)), ("known", .number($0.known)),
      ])
    }
    return .object([
      ("folder", .text(report.folder)), ("dryRun", .boolean(report.isDryRun)), ("toBook", counts(report.toBook)),
      ("toFolder", counts(report.toFolder)), ("conflicts", .list(conflicts)), ("skipped", .list(skipped)),
      ("refused", refused ?? .null),
    ])
  }
}
