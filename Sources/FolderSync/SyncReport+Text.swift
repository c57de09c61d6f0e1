import Contacts
import Messages

extension SyncReport {
  /// Returns the report in lines for people: conflicts and files that were left alone first, then what was done.
  /// - Parameter localization: the language.
  public func lines(in localization: Localization) -> [String] {
    if let refused {
      return [
        localization.text("Sync/refused." + refused.side.rawValue, refused.missing, refused.known, folder)
      ]
    }
    var lines = conflicts.map { $0.line(in: localization) }
    lines += skipped.map { localization.text("Sync/skipped." + $0.reason.rawValue, $0.file) }
    if toBook.total + toFolder.total == 0 {
      lines.append(localization.text(isIncomplete ? "Sync/nothingElse" : "Sync/inStep"))
    } else {
      lines += [("Sync/toBook", toBook), ("Sync/toFolder", toFolder)].filter { $0.1.total > 0 }
        .map { key, counts in localization.text(key, counts.added, counts.changed, counts.deleted) }
    }
    return lines
  }
}

extension SyncReport.Conflict {
  /// True if each side keeps its own value until the user decides.
  public var isOpen: Bool { conflict.kept == .each }

  fileprivate func line(in localization: Localization) -> String {
    let name = name.isEmpty ? file : name
    switch (conflict.subject, conflict.kept) {
    case (.contact, .theirs): return localization.text("Sync/restored.book", name)
    case (.contact, _): return localization.text("Sync/restored.folder", name, file)
    case (.field(let field), let kept):
      let values = [conflict.mine, conflict.theirs].map { Self.text($0, localization) }
      return localization.text(
        "Sync/conflict." + kept.rawValue, localization.text("Sync/field", name, localization.title(of: field)),
        values[0], values[1])
    }
  }

  private static func text(_ value: MergeConflict.Value, _ localization: Localization) -> String {
    switch value {
    case .labeled(let item): localization.noted(item.value, localization.label(item.label))
    case .text(let text): text
    case .day(let day): day.iso
    case .address(let address): address.joined(by: ", ")
    case .photo(let photo): localization.text("Sync/photo", photo.bytes)
    case .none, .present, .changed, .deleted: ""
    }
  }
}
