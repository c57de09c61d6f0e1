import TerminalKit

enum Command { case down, up, pageDown, pageUp, first, last, open, parent, close, help, redraw, suspend, quit }

enum KeyContext: CaseIterable { case files, details, help }

let style = WidgetStyle()

private let everywhere = Set(KeyContext.allCases)
private let lists: Set<KeyContext> = [.files, .help]

/// The table for keys, hints and help. In the list of files every letter filters.
let keys = KeyMap<Command, KeyContext>(
  [
    .init(["Down", "^N"], .down, .move(.down), in: lists, help: "next line", group: "Moving"),
    .init(["Up", "^P"], .up, .move(.up), in: lists, help: "previous line", group: "Moving"),
    .init(["PgDn"], .pageDown, .move(.pageDown), in: lists, help: "next page", group: "Moving"),
    .init(["PgUp"], .pageUp, .move(.pageUp), in: lists, help: "previous page", group: "Moving"),
    .init(["Home"], .first, .move(.first), in: lists, help: "first line", group: "Moving"),
    .init(["End"], .last, .move(.last), in: lists, help: "last line", group: "Moving"),
    .init(
      ["Enter"], .open, .accept, in: [.files], help: "open a folder, show a file's details", hint: "open",
      group: "Files"),
    .init(["Left"], .parent, in: [.files], help: "parent folder", group: "Files"),
    .init(["Enter", "Esc"], .close, .cancel, in: [.details], help: "close the details", hint: "close", group: "Files"),
    .init(["Esc"], .close, .cancel, in: [.files], help: "clear the filter, or quit", group: "Program"),
    .init(["Esc"], .close, .cancel, in: [.help], help: "back", group: "Program"),
    .init(["F1"], .help, .help, in: everywhere, help: "keys", group: "Program"),
    .init(["^L"], .redraw, .redraw, in: everywhere, help: "redraw the screen", group: "Program"),
    .init(["^Z"], .suspend, .suspend, in: everywhere, help: "suspend", group: "Program"),
    .init(["^C", "^Q"], .quit, .quit, in: everywhere, help: "quit", group: "Program"),
  ], textContexts: [.files])
