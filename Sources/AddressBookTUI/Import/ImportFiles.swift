import BookInterchange
import Contacts
import Foundation
import SystemCalls
import TerminalKit

/// Chooses a file to import from the files of a folder, with its format and first contacts next to the names.
typealias ImportChooserScreen = FileChooserScreen<ImportOutline>

extension FileChooserScreen<ImportOutline> {
  /// Opens at the folder of the last import.
  convenience init(
    environment: AppEnvironment, choose: @escaping @MainActor (ImportChooserScreen, _ path: String) -> Void
  ) {
    let strings = environment.strings
    let kind = FileKind<ImportOutline>(
      title: strings("import.title"), empty: strings("import.empty"), folder: \.importFolder,
      recognition: FileFolder.Recognition(length: ImportFormat.beginning) { head, name in
        ImportFormat(beginning: head, name: String(decoding: name, as: UTF8.self)).map(strings.name(of:))
      },
      preview: { request in
        do throws(ImportError) {
          return .success(
            try ImportOutline(
              path: String(decoding: request.path, as: UTF8.self), ImportReading(), contacts: max(1, request.rows)))
        } catch {
          return .failure(FileRefusal(text: error.message(in: strings.localization)))
        }
      },
      draw: { $0.draw(strings, environment.theme, on: &$1, in: $2) }, opensAnyName: true,
      open: { chooser, path, _ in choose(chooser, String(decoding: path, as: UTF8.self)) })
    self.init(kind, environment: environment)
  }
}

extension ImportOutline {
  /// What is known about the file, in a line.
  func description(_ strings: Strings) -> String {
    guard let csv else { return strings.name(of: format) }
    let separator: String? = [",": "comma", ";": "semicolon", "\t": "tab"][csv.separator]
    return separator.map { strings("import.format.csv", strings.name(of: format), strings("import.separator." + $0)) }
      ?? strings.name(of: format)
  }

  /// The first contacts, with a number or an address of each; of CSV without a known column, the columns.
  func rows(_ strings: Strings) -> [(name: String, detail: String)] {
    guard contacts.isEmpty, let csv else {
      return contacts.map { contact in
        let values = [contact.phones, contact.emails].compactMap(\.first?.value) + [contact.organization]
        let name = contact.displayName
        return (name.isEmpty ? strings("contact.nameless") : name, values.first { !$0.isEmpty } ?? "")
      }
    }
    return csv.columns.map { ($0.name, $0.values.first ?? "") }
  }

  /// Draws the preview of the chooser.
  fileprivate func draw(_ strings: Strings, _ theme: Theme, on canvas: inout Canvas, in rect: Rect) {
    canvas.put(description(strings), in: rect.line(0), style: theme.quiet)
    let rows = rows(strings).prefix(max(0, rect.rows - 2))
    let widest = rows.map { TextWidth.columns(of: DisplayText.clean($0.name)) }.max() ?? 0
    let columns = min(widest, rect.columns / 2)
    for (index, row) in rows.enumerated() {
      let (name, detail, _) = rect.line(index + 2).split(left: columns + 2)
      canvas.put(row.name, in: name.inset(right: 2), style: theme.text)
      canvas.put(row.detail, in: detail, style: theme.quiet)
    }
  }
}

extension Strings {
  /// The name of a format.
  func name(of format: ImportFormat) -> String {
    switch format {
    case .vCard: "vCard"
    case .json: "JSON"
    case .jCard: "jCard"
    case .csv: "CSV"
    case .ldif: "LDIF"
    case .abook: "abook"
    case .template: self("import.format.text")
    }
  }
}
