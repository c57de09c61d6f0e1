import TerminalKit

enum Command: ScreenCommand {
  case down, up, pageDown, pageUp, first, last
  case open, parent, close
  case help, redraw, suspend, quit

  var role: CommandRole? {
    switch self {
    case .down: .move(.down)
    case .up: .move(.up)
    case .pageDown: .move(.pageDown)
    case .pageUp: .move(.pageUp)
    case .first: .move(.first)
    case .last: .move(.last)
    case .open: .accept
    case .close: .cancel
    case .help: .help
    case .redraw: .redraw
    case .suspend: .suspend
    case .quit: .quit
    case .parent: nil
    }
  }
}

enum KeyContext { case files, details, help }

/// The table for keys, hints and help. In the list of files every letter filters.
let keys = KeyMap<Command, KeyContext>(
  [
    .init(["Down", "^N"], .down, in: [.files, .help], descriptionKey: "next line", groupKey: "Moving"),
    .init(["Up", "^P"], .up, in: [.files, .help], descriptionKey: "previous line", groupKey: "Moving"),
    .init(["PgDn"], .pageDown, in: [.files, .help], descriptionKey: "next page", groupKey: "Moving"),
    .init(["PgUp"], .pageUp, in: [.files, .help], descriptionKey: "previous page", groupKey: "Moving"),
    .init(["Home"], .first, in: [.files, .help], descriptionKey: "first line", groupKey: "Moving"),
    .init(["End"], .last, in: [.files, .help], descriptionKey: "last line", groupKey: "Moving"),
    .init(["Enter"], .open, in: [.files], descriptionKey: "open a folder, show a file's details", groupKey: "Files"),
    .init(["Left"], .parent, in: [.files], descriptionKey: "parent folder", groupKey: "Files"),
    .init(["Enter", "Esc"], .close, in: [.details], descriptionKey: "close the details", groupKey: "Files"),
    .init(["Esc"], .close, in: [.files], descriptionKey: "clear the filter, or quit", groupKey: "Program"),
    .init(["Esc"], .close, in: [.help], descriptionKey: "back", groupKey: "Program"),
    .init(["F1"], .help, in: [.files, .details, .help], descriptionKey: "keys", groupKey: "Program"),
    .init(["^L"], .redraw, in: [.files, .details, .help], descriptionKey: "redraw the screen", groupKey: "Program"),
    .init(["^Z"], .suspend, in: [.files, .details, .help], descriptionKey: "suspend", groupKey: "Program"),
    .init(["^C", "^Q"], .quit, in: [.files, .details, .help], descriptionKey: "quit", groupKey: "Program"),
  ], textContexts: [.files])
