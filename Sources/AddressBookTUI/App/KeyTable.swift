import TerminalKit

/// The keys of the program: one table that gives every key its meaning, and makes the help screen, the hints and the manual.
typealias KeyTable = KeyMap<Command, KeyContext>

extension KeyMap<Command, KeyContext> {
  /// The command of a single key; nil when it has none or begins a sequence.
  func command(for key: Key, in context: KeyContext) -> Command? {
    if case .action(let action) = Self.match([key], among: bindings(in: context)) { return action }
    return nil
  }

  /// The first key of a command as hints show it; empty when it has none.
  func label(of command: Command, in context: KeyContext) -> String {
    sequence(for: command, in: context)?.label ?? ""
  }

  /// Every key of the program, as it is without a configuration file.
  static let standard = KeyMap([
    .init(["j", "Down", "^N"], .moveDown, in: [.list], group: "move"),
    .init(["k", "Up", "^P"], .moveUp, in: [.list], group: "move"),
    .init(["PgDn", "^F"], .pageDown, in: [.list], group: "move"),
    .init(["PgUp", "^B"], .pageUp, in: [.list], group: "move"),
    .init(["^D"], .halfDown, in: [.list], group: "move"),
    .init(["^U"], .halfUp, in: [.list], group: "move"),
    .init(["g g", "Home"], .first, in: [.list], group: "move"),
    .init(["G", "End"], .last, in: [.list], group: "move"),
    .init(["'"], .jump, in: [.list], group: "move"),
    .init(["/"], .search, in: [.list], group: "find"),
    .init(["f"], .groups, in: [.list], group: "find"),
    .init(["Enter", "l", "Right"], .open, in: [.list], group: "find"),
    .init(["Esc", "h", "Left"], .back, in: [.list], group: "find"),
    .init(["o"], .openLink, in: [.list], group: "find"),
    .init(["y"], .copy, in: [.list], group: "find"),
    .init(["a"], .add, in: [.list], group: "change"),
    .init(["e"], .edit, in: [.list], group: "change"),
    .init(["d", "Del"], .delete, in: [.list], group: "change"),
    .init(["u"], .undo, in: [.list], group: "change"),
    .init(["^R"], .redo, in: [.list], group: "change"),
    .init(["Space"], .mark, in: [.list], group: "change"),
    .init(["+"], .addToGroup, in: [.list], group: "change"),
    .init(["-"], .removeFromGroup, in: [.list], group: "change"),
    .init(["w"], .export, in: [.list], group: "change"),
    .init(["i"], .import, in: [.list], group: "change"),
    .init(["W"], .warnings, in: [.list], group: "change"),
    .init(["D"], .demo, in: [.list], group: "change"),
    .init(["?", "F1"], .help, in: [.list], group: "program"),
    .init(["^L"], .redraw, in: [.list, .search, .form, .chooser, .crop], group: "program"),
    .init(["^Z"], .suspend, in: [.list, .search, .form, .chooser, .crop], group: "program"),
    .init(["q"], .quit, in: [.list], group: "program"),
    .init(["Down", "^N"], .searchNext, in: [.search], group: "search"),
    .init(["Up", "^P"], .searchPrevious, in: [.search], group: "search"),
    .init(["Enter", "Tab"], .searchKeep, in: [.search], group: "search"),
    .init(["Esc", "^G"], .searchCancel, in: [.search], group: "search"),
    .init(["^U"], .searchClear, in: [.search], group: "search"),
    .init(["Tab"], .formNext, in: [.form], group: "form"),
    .init(["S-Tab"], .formPrevious, in: [.form], group: "form"),
    .init(["^S"], .formSave, in: [.form], group: "form"),
    .init(["Esc"], .formCancel, in: [.form], group: "form"),
    .init(["^T"], .formLabel, in: [.form], group: "form"),
    .init(["^O"], .formAdd, in: [.form], group: "form"),
    .init(["^X"], .formRemove, in: [.form], group: "form"),
    .init(["M-Up", "C-Up"], .formMoveUp, in: [.form], group: "form"),
    .init(["M-Down", "C-Down"], .formMoveDown, in: [.form], group: "form"),
    .init(["j", "Down", "^N"], .chooserNext, in: [.chooser], group: "chooser"),
    .init(["k", "Up", "^P"], .chooserPrevious, in: [.chooser], group: "chooser"),
    .init(["PgDn", "^F"], .chooserPageDown, in: [.chooser], group: "chooser"),
    .init(["PgUp", "^B"], .chooserPageUp, in: [.chooser], group: "chooser"),
    .init(["g", "Home"], .chooserFirst, in: [.chooser], group: "chooser"),
    .init(["G", "End"], .chooserLast, in: [.chooser], group: "chooser"),
    .init(["Enter", "l", "Right"], .chooserOpen, in: [.chooser], group: "chooser"),
    .init(["Backspace", "h", "Left"], .chooserUp, in: [.chooser], group: "chooser"),
    .init(["/"], .chooserFilter, in: [.chooser], group: "chooser"),
    .init(["."], .chooserHidden, in: [.chooser], group: "chooser"),
    .init(["Esc"], .chooserCancel, in: [.chooser], group: "chooser"),
    .init(["h", "Left"], .cropLeft, in: [.crop], group: "crop"),
    .init(["j", "Down"], .cropDown, in: [.crop], group: "crop"),
    .init(["k", "Up"], .cropUp, in: [.crop], group: "crop"),
    .init(["l", "Right"], .cropRight, in: [.crop], group: "crop"),
    .init(["+", "="], .cropIn, in: [.crop], group: "crop"),
    .init(["-", "_"], .cropOut, in: [.crop], group: "crop"),
    .init(["Enter"], .cropAccept, in: [.crop], group: "crop"),
    .init(["Esc", "q"], .cropCancel, in: [.crop], group: "crop"),
  ])
}

extension KeyBinding<Command, KeyContext> {
  /// A line of the table; its words stand under `command.` and `help.section.`.
  fileprivate init(_ sequences: [KeySequence], _ command: Command, in contexts: Set<KeyContext>, group: String) {
    self.init(
      sequences, command, in: contexts, descriptionKey: "command." + command.rawValue,
      groupKey: "help.section." + group)
  }
}
